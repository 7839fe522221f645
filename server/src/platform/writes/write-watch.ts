import { statfs } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';

/*
 * Watches whether writes succeed in the places that this node writes to: file storage, scratch folder, database.
 *
 *                 free space below the limit,
 *     writable ── or a write failed and so does a probe ──▶ failing
 *         ▲                                                    │
 *         └───── free space, and a probe write succeeds ───────┘
 *
 * Free space is checked every two seconds with a system call. A probe writes real data, and runs only while a
 * place is failing or right after one of its writes failed.
 */

export interface WatchedPlace {
  readonly name: 'files' | 'scratch' | 'database';
  /** The folder whose free space is watched; undefined if it cannot be measured. */
  readonly folder: string | undefined;
  /** Whether an error of a request was caused by this place. */
  readonly concerns: (error: unknown) => boolean;
  /** Writes and removes a probe; throws an error that `concerns` this place while writes fail. */
  readonly probe: () => Promise<void>;
}

export interface WriteFault {
  readonly name: WatchedPlace['name'];
  /** For the operator: the place and the reason. */
  readonly reason: string;
  readonly freeBytes: number | undefined;
  readonly isBelowFloor: boolean;
}

export interface WriteWatch {
  readonly faults: () => readonly WriteFault[];
  readonly freeBytes: (name: WatchedPlace['name']) => number | undefined;
  /**
   * Reports the error of a request; returns true if the place is known to fail, so that the error is not logged again.
   */
  readonly note: (error: unknown) => boolean;
  /** Checks all places now. */
  readonly check: () => Promise<void>;
}

export interface WriteWatchOptions {
  readonly places: readonly WatchedPlace[];
  /** With less free space, a place counts as full. */
  readonly leastFreeBytes: number;
  readonly log: Log;
}

const everyMs = 2_000;
const probeWithinMs = 10_000;
const mebibyte = 1024 ** 2;

export function createWriteWatch({ places, leastFreeBytes, log }: WriteWatchOptions): WriteWatch {
  const faults = new Map<WatchedPlace['name'], WriteFault>();
  const free = new Map<WatchedPlace['name'], number | undefined>();
  /** Places with failed writes since the last check, with their errors. */
  const noted = new Map<WatchedPlace['name'], unknown>();
  let running: Promise<void> | undefined;

  async function findFault(place: WatchedPlace): Promise<WriteFault | undefined> {
    const { name, folder } = place;
    const freeBytes = await findFreeBytes(folder);
    free.set(name, freeBytes);
    if (freeBytes !== undefined && freeBytes < leastFreeBytes) {
      const least = `EARSHOT_LEAST_FREE_MB is ${Math.round(leastFreeBytes / mebibyte)}`;
      const reason = `the disk of ${folder} is full: ${freeBytes} bytes are free, and ${least}`;
      return { name, reason, freeBytes, isBelowFloor: true };
    }
    const failure = noted.get(name);
    noted.delete(name);
    const former = faults.get(name);
    if (failure === undefined && former === undefined) return undefined;
    try {
      await inTime(place.probe());
      return undefined;
    } catch (error) {
      if (!place.concerns(error)) return former ?? describe(name, failure, freeBytes);
      return describe(name, error, freeBytes);
    }
  }

  async function checkAll(): Promise<void> {
    const began: WriteFault[] = [];
    const former = [...faults.keys()];
    // In parallel, so that a storage that does not respond does not delay the check of the others.
    const found = await Promise.all(places.map(async (place) => ({ place, fault: await findFault(place) })));
    for (const { place, fault } of found) {
      if (fault === undefined) faults.delete(place.name);
      else faults.set(place.name, fault);
      if (fault && !former.includes(place.name)) began.push(fault);
    }
    if (began.length > 0) log.error({ faults: began }, 'writes fail; this node is not ready until they succeed again');
    if (former.length > 0 && faults.size === 0) log.info({ places: former }, 'writes succeed again');
  }

  const check = (): Promise<void> => (running ??= checkAll().finally(() => (running = undefined)));

  return {
    faults: () => [...faults.values()],
    freeBytes: (name) => free.get(name),
    note(error) {
      const concerned = places.filter((place) => place.concerns(error));
      const isKnown = concerned.some(({ name }) => faults.has(name));
      const isNew = concerned.some(({ name }) => !faults.has(name) && !noted.has(name));
      for (const { name } of concerned) noted.set(name, error);
      if (isNew) void check();
      return isKnown;
    },
    check,
  };
}

/** Checks the places every two seconds, until the returned function is called. */
export const startWriteWatch = (watch: WriteWatch, log: Log): (() => Promise<void>) =>
  startLoop('write watch', everyMs, () => watch.check(), log, 0);

const describe = (name: WatchedPlace['name'], error: unknown, freeBytes: number | undefined): WriteFault => ({
  name,
  reason: (error as Error).message,
  freeBytes,
  isBelowFloor: false,
});

async function inTime(probe: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(new Error(`a probe write took longer than ${probeWithinMs / 1000} seconds`));
    timer = setTimeout(refuse, probeWithinMs);
  });
  try {
    await Promise.race([probe, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The space that an ordinary user may use. */
async function findFreeBytes(folder: string | undefined): Promise<number | undefined> {
  if (folder === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
