import { once } from 'node:events';
import { basename } from 'node:path';

import type { RunAs } from './run-as.ts';
import { spawnAs } from './run-as.ts';

const keptOutputChars = 64 * 1024;

export interface Finished {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a program until it exits. On abort or timeout, kills it and all processes that it started. */
export async function runProgram(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  { boundMs, signal }: { boundMs: number; signal: AbortSignal },
): Promise<Finished> {
  signal.throwIfAborted();
  const outOfTime = AbortSignal.timeout(boundMs);
  const child = spawnAs(runAs, program, args, ['ignore', 'pipe', 'pipe']);
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutputChars));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const killAll = () => killGroup(child.pid);
  const ending = AbortSignal.any([signal, outOfTime]);
  ending.addEventListener('abort', killAll, { once: true });
  try {
    await once(child, 'close');
  } finally {
    ending.removeEventListener('abort', killAll);
  }
  signal.throwIfAborted();
  if (outOfTime.aborted) throw new Error(`${basename(program)} did not finish within ${boundMs / 1000} seconds`);
  return { exitCode: child.exitCode, output };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}

/** The line of a program's output that explains what went wrong. */
export function findErrorLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const errorLine =
    lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'there was no output';
  // Removes the time and process id at the start of PostgreSQL's log lines.
  return errorLine.replace(/^.*?\b(?=(FATAL|PANIC):)/, '').replace(/\s+/g, ' ');
}
