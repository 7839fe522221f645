import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { findDue, findOverdue, findRemoved, forgetRemoved } from './sweep-queries.ts';
import { removeFiles } from './queries.ts';
import { peaksName } from './peaks-name.ts';
import { removeUnusedFiles } from './unused.ts';

export interface SweepParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly log: Log;
  readonly everyMs: number;
}

const mostAtOnce = 100;

/** Removes unused files. Runs on every node; each node works on other files. */
export function startFileSweep({ db, storage, log, everyMs }: SweepParts): () => Promise<void> {
  const sweep = async (): Promise<void> => {
    await repeat(() => inTransaction(db, removeOverdue));
    await repeat(() => inTransaction(db, removeUnused));
    await repeat(() => removeBytes(db, storage));
  };
  return startLoop('files', everyMs, sweep, log);
}

/** Repeats while a pass finds as many files as its limit. */
async function repeat(work: () => Promise<number>): Promise<void> {
  while ((await work()) === mostAtOnce);
}

/** Removes files whose bytes were not uploaded within a day. */
async function removeOverdue(tx: Db): Promise<number> {
  const keys = await findOverdue(tx, mostAtOnce);
  await removeFiles(tx, keys);
  return keys.length;
}

/** Removes files of devices that nothing uses, a week after they became available, and temporary ones after a day. */
async function removeUnused(tx: Db): Promise<number> {
  const keys = await findDue(tx, mostAtOnce);
  await removeUnusedFiles(tx, keys);
  return keys.length;
}

/** Removes the bytes first, then their note: removing bytes twice does no harm, but without a note they would stay. */
async function removeBytes(db: Pool, storage: Storage): Promise<number> {
  const names = await findRemoved(db, mostAtOnce);
  for (const name of names) {
    for (const stored of namesOf(name)) await storage.remove(stored);
    await forgetRemoved(db, name);
  }
  return names.length;
}

/** The name of a derived object that is stored beside a file and removed with it. */
export const namesOf = (storageName: string): readonly string[] => [storageName, peaksName(storageName)];
