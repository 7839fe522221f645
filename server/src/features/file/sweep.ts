import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { namesOf } from '../removed-file/rules.ts';
import { findDue, findOverdue, findRemoved, forgetRemoved } from './sweep-queries.ts';
import { removeFiles, removeUnusedFiles } from './rules.ts';

export interface SweepParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly log: Log;
  readonly everyMs: number;
}

const mostAtOnce = 100;

/** Keeps files that nobody needs from piling up; on every node, each at work on others. */
export function startFileSweep({ db, storage, log, everyMs }: SweepParts): () => Promise<void> {
  const sweep = async (): Promise<void> => {
    await repeat(() => inTransaction(db, removeOverdue));
    await repeat(() => inTransaction(db, removeUnused));
    await repeat(() => removeBytes(db, storage));
  };
  return startLoop('files', everyMs, sweep, log);
}

/** While there is as much to do as is done at once. */
async function repeat(work: () => Promise<number>): Promise<void> {
  while ((await work()) === mostAtOnce);
}

/** Files whose bytes did not come within a day. */
async function removeOverdue(tx: Db): Promise<number> {
  const keys = await findOverdue(tx, mostAtOnce);
  await removeFiles(tx, keys);
  return keys.length;
}

/** Files of devices that nothing uses, a week after they became available. */
async function removeUnused(tx: Db): Promise<number> {
  const keys = await findDue(tx, mostAtOnce);
  await removeUnusedFiles(tx, keys);
  return keys.length;
}

/** The bytes first, then the note of them: bytes that are removed twice are no harm, and others would stay. */
async function removeBytes(db: Pool, storage: Storage): Promise<number> {
  const names = await findRemoved(db, mostAtOnce);
  for (const name of names) {
    for (const stored of namesOf(name)) await storage.remove(stored);
    await forgetRemoved(db, name);
  }
  return names.length;
}
