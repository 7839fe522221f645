import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { ChangeRange } from '../channel/public.ts';
import { insertChanges, insertMissed } from '../channel/public.ts';
import type { Position } from '../live/public.ts';
import { lockPlace, movePlace, passMissed } from './place-queries.ts';

interface Subscribed {
  readonly key: number;
  readonly channelID: number;
}

/** Moves the place and writes the messages up to it. False: another node was first. */
export async function writeMessages(
  db: Pool,
  { key: subscriptionID, channelID }: Subscribed,
  { from, to }: { readonly from: Position; readonly to: Position },
  ranges: readonly ChangeRange[],
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isMoved = await movePlace(tx, subscriptionID, from, to);
    if (isMoved) await insertChanges(tx, { subscriptionID, channelID }, ranges);
    return isMoved;
  });
}

/** Goes on from the end of the log, and tells the subscriber once that changes were missed. */
export async function startAgain(
  db: Pool,
  { key: subscriptionID, channelID }: Subscribed,
  end: Position,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Another node, or an attempt to send, may have done it meanwhile: what it wrote is seen once its lock is gone.
    if (!(await lockPlace(tx, subscriptionID)) || !(await passMissed(tx, subscriptionID, end))) return;
    await insertMissed(tx, { subscriptionID, channelID });
  });
}
