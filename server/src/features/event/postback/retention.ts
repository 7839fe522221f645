import type { Db } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { removeOldPostbacks, removeOldSecrets } from './queries.ts';

const mostAtOnce = 500;

/** Removes old postbacks, and the secrets of their events, on every node. Returns a function that stops it. */
export const startPostbackRetention = (db: Db, log: Log, everyMs: number, days: number): (() => Promise<void>) =>
  startLoop('postback retention', everyMs, () => sweepPostbacks(db, days), log);

export async function sweepPostbacks(db: Db, days: number): Promise<void> {
  while ((await removeOldPostbacks(db, days, mostAtOnce)) === mostAtOnce);
  while ((await removeOldSecrets(db, days, mostAtOnce)) === mostAtOnce);
}
