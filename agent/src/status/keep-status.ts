import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentConfig, AgentSettings } from '../config.ts';
import type { LogLine } from '../log.ts';
import { reasonOf } from '../loop.ts';
import type { AgentFault, AgentStatus, CountedEntry } from './agent-status.ts';
import { countRecordings } from './agent-status.ts';
import type { PlatformContact } from '../connection/platform-clock.ts';
import { readStatus, writeStatus } from './status-file.ts';

export interface StatusParts {
  readonly config: AgentConfig;
  readonly version: string;
  /** The SHA-256 of the program that runs. */
  readonly sha256: string | undefined;
  readonly journal: { readonly entries: ReadonlyMap<unknown, CountedEntry> };
  readonly log: { readonly lastError: LogLine | undefined };
  readonly contact: PlatformContact;
  readonly isRecording: () => boolean;
  readonly settings: { readonly current: AgentSettings };
}

const lookEveryMs = 5_000;
/** Counting takes at most this part of the time, also in a long journal on a slow device. */
const mostShare = 0.005;
/** A status that has not changed is written again after this time, which shows that the agent works. */
const writeAtLeastEveryMs = 60_000;
/** Loops retry after a minute at most; what has not failed for longer works again, or was given up. */
const faultLastsMs = 180_000;

interface OpenFault extends AgentFault {
  readonly lastMs: number;
}

/** Keeps the file of the status up to date. */
export async function keepStatus(parts: StatusParts) {
  const { config, version, sha256, journal, log, contact, isRecording, settings } = parts;
  const startedDate = new Date().toISOString();
  const faults = new Map<string, OpenFault>();
  // The reason why the former process ended is worth knowing.
  const former = (await readStatus(config.folder).catch(() => undefined))?.lastError;
  let written = '';
  let writtenMs = -Infinity;

  const describe = (): AgentStatus => {
    const error = log.lastError;
    for (const [what, { lastMs }] of faults) if (performance.now() - lastMs > faultLastsMs) faults.delete(what);
    return {
      writtenDate: new Date().toISOString(),
      startedDate,
      processID: process.pid,
      version,
      sha256,
      deviceSerial: config.deviceSerial,
      server: config.server,
      isRecording: isRecording(),
      upload: settings.current.upload,
      ...countRecordings(config, journal.entries.values()),
      lastReachedDate: contact.lastReached()?.at.toISOString(),
      clockErrorMs: contact.clockErrorMs(),
      faults: [...faults.values()].map(({ what, reason, sinceDate }) => ({ what, reason, sinceDate })),
      lastError: error ? { date: error.date.toISOString(), message: error.message } : former,
    };
  };
  const write = async (status: AgentStatus) => {
    await writeStatus(config.folder, status);
    written = comparable(status);
    writtenMs = performance.now();
  };
  return {
    /** The step of a loop, which is noted as a fault while it fails. */
    watch: (what: string, step: () => Promise<void>) => async (): Promise<void> => {
      try {
        await step();
        faults.delete(what);
      } catch (error) {
        const sinceDate = faults.get(what)?.sinceDate ?? new Date().toISOString();
        faults.set(what, { what, reason: reasonOf(error), sinceDate, lastMs: performance.now() });
        throw error;
      }
    },
    /** Writes the status if it has changed, and waits. */
    async step(signal: AbortSignal): Promise<void> {
      const beganMs = performance.now();
      const status = describe();
      const tookMs = performance.now() - beganMs;
      if (comparable(status) !== written || beganMs - writtenMs >= writeAtLeastEveryMs) await write(status);
      await sleep(Math.max(lookEveryMs, tookMs / mostShare), undefined, { signal }).catch(() => {});
    },
    writeLast: (): Promise<void> => write(describe()),
  };
}

/** Without what changes all the time, so that a flash card is written seldom. */
const comparable = (status: AgentStatus): string =>
  JSON.stringify({
    ...status,
    writtenDate: '',
    lastReachedDate: status.lastReachedDate !== undefined,
    clockErrorMs: status.clockErrorMs !== undefined,
  });
