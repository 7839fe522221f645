import type { Db, Fragment } from '../../../platform/database/connect.ts';

/** Whether the pending event `e` may be taken now: its delay is over, and it has not expired. */
export const isDue = (db: Db): Fragment => db`
  (e.ready_date <= now() and (e.expiration_epoch = 0 or e.expiration_epoch > extract(epoch from now())))`;
