import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLauncher } from './update/launcher.ts';
import { readCurrent, versionPath } from './update/versions.ts';

const words = process.argv.slice(2);
const isStatus = words[0] === 'status';
const configPath = words[isStatus ? 1 : 0] ?? '/etc/earshot-agent.json';
const home = dirname(fileURLToPath(import.meta.url));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  process.exitCode = isStatus ? printStatusOf(await readCurrent(home)) : await launch();
} catch (error) {
  process.stderr.write(`earshot-agent: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

function launch(): Promise<number> {
  const print = (text: string) => void process.stderr.write(`${text}\n`);
  return runLauncher({ home, configPath, environment: process.env, print, signal: stop.signal });
}

/** The version that runs knows what it wrote; this launcher may be older. */
function printStatusOf(hash: string): number {
  const { status } = spawnSync(process.execPath, [versionPath(home, hash), 'status', configPath], { stdio: 'inherit' });
  return status ?? 1;
}
