import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PostgresInstallation } from './installation.ts';
import { isPostgresOf } from './processes.ts';
import { findErrorLine } from './run-program.ts';
import { spawnAs } from './run-as.ts';
import { openServerLog, readSince } from './server-log.ts';
import { listServerArguments } from './settings.ts';
import { orAborted } from './waiting.ts';

const adoptedPollMs = 250;

/** The parent process of all other processes of a running PostgreSQL. */
export interface Postmaster {
  readonly pid: number;
  /** Left running by an earlier server process that crashed; not a child of this process. */
  readonly adopted: boolean;
  isAlive(): Promise<boolean>;
  /** Resolves to a description of how it exited. */
  waitForExit(signal: AbortSignal): Promise<string>;
  /** The reason for its exit, from its log. */
  readExitReason(): Promise<string>;
}

export function adoptPostmaster(cluster: string, pid: number): Postmaster {
  return {
    pid,
    adopted: true,
    isAlive: () => isPostgresOf(cluster, pid),
    async waitForExit(signal) {
      while (await isPostgresOf(cluster, pid)) await sleep(adoptedPollMs, undefined, { signal, ref: false });
      return 'unknown, because it was not started by this process';
    },
    readExitReason: async () => 'it exited before it answered',
  };
}

/**
 * PostgreSQL writes to its own log file, not to a pipe of this process, so that it survives a crash of this process.
 */
export async function launchPostmaster(installation: PostgresInstallation, socketFolder: string): Promise<Postmaster> {
  const { paths, binaries, runAs, isDisposable } = installation;
  const { file, sizeBefore } = await openServerLog(paths.log, runAs);
  try {
    const args = listServerArguments(paths.cluster, socketFolder, isDisposable);
    const child = spawnAs(runAs, binaries.postgres, args, ['ignore', file.fd, file.fd]);
    const ended = describeExit(child);
    if (child.pid === undefined) throw new Error(`PostgreSQL could not be started: ${await ended}`);
    child.unref();
    return {
      pid: child.pid,
      adopted: false,
      isAlive: async () => child.exitCode === null && child.signalCode === null,
      waitForExit: (signal) => orAborted(ended, signal),
      readExitReason: async () => findErrorLine(await readSince(paths.log, sizeBefore)),
    };
  } finally {
    await file.close();
  }
}

function describeExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signalName) =>
      resolve(signalName === null ? `exit code ${String(code)}` : `signal ${signalName}`),
    );
  });
}
