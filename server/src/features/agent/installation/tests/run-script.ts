import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export interface ScriptRun {
  readonly status: number | null;
  readonly output: string;
}

export interface ScriptOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Root, whose places are below the home of the test, with programs that note their arguments in `bin/called`. */
  readonly isRoot?: boolean;
  readonly hasSystemd?: boolean;
  /** What a person types on a terminal; without it there is no terminal. */
  readonly typed?: string;
}

export const makeHome = (): Promise<string> => mkdtemp(join(tmpdir(), 'earshot-home-'));

/** A program in the path that notes its arguments and environment, and then runs the real one. */
async function spyOn(folder: string, program: string): Promise<void> {
  const spy = `#!/bin/sh\n{ printf '%s\\n' "$0" "$@"; env; } >>'${folder}/seen'\nPATH=\${PATH#*:} exec ${program} "$@"\n`;
  await writeFile(join(folder, program), spy);
  await chmod(join(folder, program), 0o755);
}

/** The script comes from standard input, as with `curl … | sh`. */
export async function runScript(home: string, script: string, options: ScriptOptions = {}): Promise<ScriptRun> {
  const { env = {}, args = [], isRoot = false, hasSystemd = false, typed } = options;
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  const put = (name: string, text: string) => writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  // The tests may run as root, whose places the script must not touch.
  await put(
    'id',
    `case $1 in -u) echo ${isRoot ? 0 : 1000} ;; *) [ ${isRoot ? 1 : 0} = 0 ] && echo person || exit 1 ;; esac`,
  );
  for (const name of ['systemctl', 'loginctl', 'useradd', 'userdel', 'chown'])
    await put(name, `echo "${name} $*" >>'${bin}/called'`);
  // As `su -s /bin/sh USER -c COMMAND` does, without another user.
  await put('su', `echo "su $3" >>'${bin}/called'\nexec sh -c "$5"`);
  for (const program of ['curl', 'node']) await spyOn(bin, program);
  if (isRoot)
    for (const place of ['etc/systemd/system', 'usr/local/bin']) await mkdir(join(home, place), { recursive: true });
  if (isRoot)
    await writeFile(join(home, 'etc/passwd'), `earshot-agent:x:990:990::${home}/var/lib/earshot-agent:/nologin\n`);
  const placed = isRoot ? script.replaceAll(/(?<=[ ='"])\/(opt|etc|var\/lib|usr\/local)\//g, `${home}/$1/`) : script;
  const text = placed.replaceAll('/run/systemd/system', hasSystemd ? '/' : '/nowhere');
  const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  await writeFile(join(bin, 'script.sh'), text);
  const line = `sh -s -- ${args.join(' ')} <'${join(bin, 'script.sh')}'`;
  const [program, words] =
    typed === undefined
      ? (['setsid', ['-w', 'sh', '-c', line]] as const)
      : (['script', ['-qec', line, '/dev/null']] as const);
  const child = spawn(program, words, { env: { HOME: home, PATH, ...env }, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stdin.end(typed);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}
