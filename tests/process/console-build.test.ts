import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Built {
  readonly page: string;
  readonly scripts: ReadonlyMap<string, string>;
  /** Bytes of each script, compressed with gzip. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Builds the console into a new folder, as with this NODE_ENV in the shell of the user. */
async function build(nodeEnv: string): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-console-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const module = pathToFileURL(join(root, 'scripts/build-console.mjs')).href;
  const output = relative(root, join(folder, 'index.html'));
  const script = `const { buildConsole } = await import('${module}'); await buildConsole('${root}', '${output}');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, NODE_ENV: nodeEnv },
  });
  const names = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
  const read = async (name: string) => {
    const [text, packed] = await Promise.all([
      readFile(join(folder, 'assets', name), 'utf8'),
      readFile(join(folder, 'assets', `${name}.gz`)),
    ]);
    return { name, text, size: packed.length };
  };
  const files = await Promise.all(names.map(read));
  return {
    page: await readFile(join(folder, 'index.html'), 'utf8'),
    scripts: new Map(files.map(({ name, text }) => [name, text])),
    sizes: new Map(files.map(({ name, size }) => [name, size])),
  };
}

/** The script and all that it imports at once. */
function neededBy(name: string, scripts: Built['scripts'], found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, next = ''] of (scripts.get(name) ?? '').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
    neededBy(next, scripts, found);
  }
  return found;
}

test('the console is built alike with any NODE_ENV, without paths of the machine', async () => {
  const { scripts } = await build('development');
  expect(scripts.size).toBeGreaterThan(5);
  expect([...scripts].filter(([, text]) => text.includes(root)).map(([name]) => name)).toEqual([]);
  expect([...scripts.keys()]).toEqual([...(await build('production')).scripts.keys()]);
});

test('the first page needs at most 70 KB of scripts, and no page more than 40 KB besides', async () => {
  const { page, scripts, sizes } = await build('production');
  const named = [...page.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const first = new Set(named.flatMap((name) => [...neededBy(name, scripts)]));
  // All that is needed at once is named by the page, so that it is requested at once.
  expect([...first].toSorted()).toEqual(named.toSorted());
  expect(sizeOf(first)).toBeGreaterThan(30_000);
  expect(sizeOf(first)).toBeLessThanOrEqual(70_000);
  const opened = [...scripts.values()].flatMap((text) =>
    [...text.matchAll(/import\(["'`]\.\/([^"'`]+\.js)["'`]\)/g)].map(([, name = '']) => name),
  );
  expect(new Set(opened).size).toBeGreaterThan(20);
  const tooLarge = [...new Set(opened)]
    .map((name) => [name, sizeOf([...neededBy(name, scripts)].filter((one) => !first.has(one)))] as const)
    .filter(([, size]) => size > 40_000);
  expect(tooLarge).toEqual([]);
});
