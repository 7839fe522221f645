import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { shortBuild } from '@earshot/contract/build-name';
import type { Trial } from './versions.ts';
import {
  confirmedMessage,
  configExitCode,
  defaultConfirmSeconds,
  readCurrent,
  readTrial,
  restartExitCode,
  switchCurrent,
  versionPath,
  writeTrial,
} from './versions.ts';

export interface LauncherOptions {
  readonly home: string;
  readonly configPath: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/** A new version that stops the whole device has no time to fail in another way. */
const mostTrialStarts = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;
/** A version that ran this long starts again without a growing delay. */
const steadyMs = 60_000;
const stopWithinMs = 15_000;

/** Keeps one version of the agent running until the signal aborts; returns the exit code. */
export async function runLauncher(options: LauncherOptions): Promise<number> {
  const { home, print, signal } = options;
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    const trial = await startTrial(home, print);
    const startedMs = performance.now();
    const { code, reason } = await runVersion(options, await readCurrent(home), trial);
    if (signal.aborted) return 0;
    const left = await readTrial(home);
    // A confirmed version may have begun the next update.
    if (trial && left?.to === trial.to && left.from === trial.from) {
      await goBack(home, left, reason, print);
      continue;
    }
    if (code === configExitCode) return configExitCode;
    if (code === restartExitCode) continue;
    if (performance.now() - startedMs > steadyMs) delayMs = firstDelayMs;
    print(`The agent ended (${reason}); it is started again in ${Math.round(delayMs / 1_000)} s.`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
  return 0;
}

/** Undefined if the current version is confirmed. Continues what a power loss interrupted. */
async function startTrial(home: string, print: (text: string) => void): Promise<Trial | undefined> {
  const trial = await readTrial(home);
  if (!trial || trial.to !== (await readCurrent(home))) return undefined;
  if (trial.failure !== undefined || trial.starts >= mostTrialStarts) {
    await goBack(home, trial, trial.failure ?? `it was started ${trial.starts} times and did not confirm`, print);
    return undefined;
  }
  const counted = { ...trial, starts: trial.starts + 1 };
  await writeTrial(home, counted);
  return counted;
}

async function goBack(home: string, trial: Trial, failure: string, print: (text: string) => void): Promise<void> {
  await writeTrial(home, { ...trial, failure });
  await switchCurrent(home, trial.from);
  const [former, failed] = [shortBuild(trial.from), shortBuild(trial.to)];
  print(`Build ${failed} of the agent failed (${failure}); the former one, build ${former}, is started again.`);
}

interface VersionEnd {
  readonly code: number | null;
  readonly reason: string;
}

/** Runs a version until it ends. A version on trial is killed if it does not confirm in time. */
async function runVersion(options: LauncherOptions, hash: string, trial: Trial | undefined): Promise<VersionEnd> {
  const { home, configPath, environment, print, signal } = options;
  const child = spawn(process.execPath, [versionPath(home, hash), configPath], {
    stdio: ['inherit', 'inherit', 'pipe', 'ipc'],
    env: { ...environment, EARSHOT_AGENT_HOME: home },
  });
  let lastLine = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastLine = text.trim().split('\n').at(-1)?.slice(0, 500) || lastLine;
    print(text.trimEnd());
  });
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    forced = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let isLate = false;
  const seconds = trial ? await readConfirmSeconds(configPath) : 0;
  const late = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const timer = trial && setTimeout(late, seconds * 1_000);
  child.on('message', (message) => message === confirmedMessage && clearTimeout(timer));
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    if (isLate) return { code, reason: `it did not reach the platform within ${seconds} s` };
    const end = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`;
    return { code, reason: lastLine === '' ? end : `${end}: ${lastLine}` };
  } catch (error) {
    return { code: null, reason: (error as Error).message };
  } finally {
    clearTimeout(timer);
    clearTimeout(forced);
    signal.removeEventListener('abort', stop);
  }
}

/** A configuration that cannot be read has the default; the agent reports its faults. */
async function readConfirmSeconds(configPath: string): Promise<number> {
  try {
    const { updateConfirmSeconds } = JSON.parse(await readFile(configPath, 'utf8')) as Record<string, unknown>;
    return typeof updateConfirmSeconds === 'number' ? updateConfirmSeconds : defaultConfirmSeconds;
  } catch {
    return defaultConfirmSeconds;
  }
}
