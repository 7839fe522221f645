import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { runAgent } from './agent.ts';
import { ConfigError, parseConfig, requirePrivate } from './config.ts';
import { lockFolder } from './lock.ts';
import { createLog } from './log.ts';
import { readSystem } from './system.ts';
import type { Installation } from './update/install.ts';
import { configExitCode, confirmedMessage, isHash, restartExitCode } from './update/versions.ts';
import { version } from './version.ts';

const [path = '/etc/earshot-agent.json'] = process.argv.slice(2);
const log = createLog();
const stop = new AbortController();
const installation = findInstallation();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
// Without its launcher, another one may start a second agent.
process.once('disconnect', () => stop.abort());
const stopWithinMs = 10_000;
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(), stopWithinMs).unref());

if (path === '--version') process.stdout.write(`${version}\n`);
else await run();
process.exit();

async function run(): Promise<void> {
  try {
    requirePrivate((await stat(path)).mode, path);
    const config = parseConfig(await readFile(path, 'utf8'));
    const unlock = await lockFolder(config.folder, stop.signal);
    log.write('info', `The agent ${version} of ${config.deviceSerial} has started.`);
    const system = await readSystem();
    await runAgent({ config, version, log, restart, installation, system, signal: stop.signal });
    unlock();
  } catch (error) {
    const reason = error instanceof ConfigError ? `${path}: ${error.message}` : (error as Error).message;
    process.stderr.write(`earshot-agent: ${reason}\n`);
    process.exitCode = error instanceof ConfigError ? configExitCode : 1;
  }
}

function restart(): void {
  if (installation) process.exitCode = restartExitCode;
  stop.abort();
}

/** The launcher names its folder, and starts a version by its hash. */
function findInstallation(): Installation | undefined {
  const home = process.env['EARSHOT_AGENT_HOME'];
  const hash = basename(process.argv[1] ?? '', '.mjs');
  if (home === undefined || process.send === undefined || !isHash(hash)) return undefined;
  return { home, hash, confirm: () => void process.send?.(confirmedMessage, () => {}) };
}
