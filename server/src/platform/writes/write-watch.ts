import { statfs } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';

/*
 * Whether the places that this node writes to take writes: the store of files, the scratch folder, the database.
 *
 *                 free space below the floor,
 *     writable ── or a write failed and so does a probe ──▶ failing
 *         ▲                                                    │
 *         └───── free space, and a probe write succeeds ───────┘
 *
 * Free space is looked at every two seconds, which costs a system call. A probe writes for real, and only while a
 * place is failing or right after one of its writes failed.
 */

export interface WatchedPlace {
  readonly name: 'files' | 'scratch' | 'database';
  /** The folder whose free space is watched; undefined where it cannot be known. */
  readonly folder: string | undefined;
  /** Whether an error that a request met tells of this place. */
  readonly concerns: (error: unknown) => boolean;
  /** Writes something and removes it; throws what `concerns` while writes fail. */
  readonly probe: () => Promise<void>;
}

export interface WriteFault {
  readonly name: WatchedPlace['name'];
  /** A sentence for the operator: where, and why. */
  readonly reason: string;
  readonly freeBytes: number | undefined;
  readonly isBelowFloor: boolean;
}

export interface WriteWatch {
  readonly faults: () => readonly WriteFault[];
  readonly freeBytes: (name: WatchedPlace['name']) => number | undefined;
  /** Tells of an error that a request met; true when its place is known to fail, so that nobody logs it again. */
  readonly note: (error: unknown) => boolean;
  /** Looks at all places now. */
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
  /** Places whose writes failed since they were last looked at, and how. */
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
    // At the same time: a store that does not answer must not keep the others from being looked at.
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

/** Looks at the places every two seconds, until the function it returns is called. */
export const startWriteWatch = (watch: WriteWatch, log: Log): (() => Promise<void>) =>
  startLoop('write watch', everyMs, () => watch.check(), log, true);

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

/** As much as an ordinary user may write. */
async function findFreeBytes(folder: string | undefined): Promise<number | undefined> {
  if (folder === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
