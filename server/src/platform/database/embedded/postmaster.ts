import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Installation } from './installation.ts';
import { isPostgresOf } from './processes.ts';
import { findTellingLine } from './run-program.ts';
import { spawnAs } from './run-as.ts';
import { openServerLog, readSince } from './server-log.ts';
import { listServerArguments } from './settings.ts';
import { orAborted } from './waiting.ts';

const adoptedPollMs = 250;

/** The one process that all others of a running PostgreSQL descend from. */
export interface Postmaster {
  readonly pid: number;
  /** Left running by an earlier server that crashed, not a child of ours. */
  readonly adopted: boolean;
  isAlive(): Promise<boolean>;
  /** Resolves to how it ended, in words. */
  waitForEnd(signal: AbortSignal): Promise<string>;
  /** What it gave as the reason for ending. */
  readLastWords(): Promise<string>;
}

export function adoptPostmaster(cluster: string, pid: number): Postmaster {
  return {
    pid,
    adopted: true,
    isAlive: () => isPostgresOf(cluster, pid),
    async waitForEnd(signal) {
      while (await isPostgresOf(cluster, pid)) await sleep(adoptedPollMs, undefined, { signal, ref: false });
      return 'unknown, as it was not our child';
    },
    readLastWords: async () => 'it ended while it was being taken over',
  };
}

/** It writes to its own log and not to us, so that it outlives a crash of this process unharmed. */
export async function launchPostmaster(installation: Installation, socketFolder: string): Promise<Postmaster> {
  const { paths, binaries, runAs } = installation;
  const { file, sizeBefore } = await openServerLog(paths.log, runAs);
  try {
    const args = listServerArguments(paths.cluster, socketFolder);
    const child = spawnAs(runAs, binaries.postgres, args, ['ignore', file.fd, file.fd]);
    const ended = describeEnd(child);
    if (child.pid === undefined) throw new Error(`PostgreSQL cannot be run: ${await ended}`);
    child.unref();
    return {
      pid: child.pid,
      adopted: false,
      isAlive: async () => child.exitCode === null && child.signalCode === null,
      waitForEnd: (signal) => orAborted(ended, signal),
      readLastWords: async () => findTellingLine(await readSince(paths.log, sizeBefore)),
    };
  } finally {
    await file.close();
  }
}

function describeEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signalName) =>
      resolve(signalName === null ? `exit code ${String(code)}` : `signal ${signalName}`),
    );
  });
}
