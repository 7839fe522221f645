import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { nameBuild } from '@earshot/contract/build-name';
import { buildVersion } from '@earshot/contract/build-version';
import { runAgent } from './agent.ts';
import { ConfigError, parseConfig, requirePrivate } from './config.ts';
import { lockFolder } from './lock.ts';
import { createLog } from './log.ts';
import { runStatus } from './status/run-status.ts';
import { readSystem } from './system.ts';
import type { Installation } from './update/install.ts';
import { configExitCode, confirmedMessage, hashOfVersion, isHash, restartExitCode } from './update/versions.ts';

const words = process.argv.slice(2);
const [first = ''] = words;
const path = (first === 'status' ? words[1] : words[0]) ?? '/etc/earshot-agent.json';
const log = createLog();
const stop = new AbortController();
const installation = findInstallation();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
// Without its launcher, another one may start a second agent.
process.once('disconnect', () => stop.abort());
const stopWithinMs = 10_000;
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(), stopWithinMs).unref());

if (first === '--version') process.stdout.write(`${buildVersion}\n`);
else if (first === 'status') await printStatus();
else await run();
process.exit();

async function printStatus(): Promise<void> {
  const { text, exitCode } = await runStatus(path, Date.now());
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCode;
}

async function run(): Promise<void> {
  try {
    requirePrivate((await stat(path)).mode, path);
    const config = parseConfig(await readFile(path, 'utf8'));
    const unlock = await lockFolder(config.folder, stop.signal);
    const sha256 = installation?.hash ?? hashOfVersion(await readFile(process.argv[1] ?? ''));
    log.write('info', `The agent ${nameBuild(buildVersion, sha256)} of ${config.deviceSerial} has started.`);
    const system = await readSystem();
    await runAgent({ config, version: buildVersion, sha256, log, restart, installation, system, signal: stop.signal });
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
