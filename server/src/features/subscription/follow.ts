import { randomUUID } from 'node:crypto';
import { mostInMessage, mostSingle } from '@earshot/contract/subscription';
import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { ChangeRange } from '../channel/public.ts';
import type { Live, Position, VisibleChange } from '../live/public.ts';
import { isAfter } from '../live/public.ts';
import { findMatching } from './find-matching.ts';
import type { FollowedSubscription } from './place-queries.ts';
import { findFollowed, movePlace, releaseFollowLease, takeFollowLease } from './place-queries.ts';
import { startAgain, writeMessages } from './write-messages.ts';

/*
 * One node, by a lease, reads the log of changes for all subscriptions. A message for a channel is the stretch of the log
 * that it tells of; it is written in the transaction that moves the place of its subscription, so a node that dies leaves
 * neither a gap nor a repetition. The place is compared when it is moved: a node that lost its lease writes nothing.
 *
 *   the log    … ─ place ─ change ─ change ─ change ─ end
 *   messages        (place, 1st change] (1st, 2nd] (2nd, 3rd]       up to `mostSingle` that wait
 *                   (place, 100th change] (100th, 200th]            beyond
 *
 * While `mostSingle` messages wait, the place stands still: what a dead channel misses stays in the log. Where no change is
 * wanted, the place moves in memory, and in the database once a minute.
 */

interface FollowingParts {
  readonly db: Pool;
  readonly changes: Live['changes'];
  readonly log: Log;
}

const everyMs = 500;
const leaseSeconds = 30;
const renewMs = 10_000;
const keepPlaceMs = 60_000;
/** A subscription that is far behind gives others their turn. */
const mostBatches = 10;

/** A place that is further than the one in the database. */
interface Ahead {
  readonly place: Position;
  readonly sinceMs: number;
}

/** Follows on this node until the returned function is called. */
export function startFollowing({ db, changes, log }: FollowingParts): () => Promise<void> {
  const holder = randomUUID();
  const ahead = new Map<number, Ahead>();
  const stopping = new AbortController();
  let isHeldUntilMs = 0;

  async function keepLease(): Promise<boolean> {
    if (performance.now() < isHeldUntilMs) return true;
    const isHeld = await takeFollowLease(db, holder, leaseSeconds);
    isHeldUntilMs = isHeld ? performance.now() + renewMs : 0;
    if (!isHeld) ahead.clear();
    return isHeld;
  }

  async function step(): Promise<void> {
    if (!(await keepLease())) return;
    const followed = await findFollowed(db, mostSingle);
    const known = new Set(followed.map(({ key }) => key));
    for (const key of ahead.keys()) if (!known.has(key)) ahead.delete(key);
    if (followed.length === 0) return;
    const end = await changes.findEnd();
    const readAfter = rememberBatches(changes);
    for (const subscription of followed) {
      if (stopping.signal.aborted || !(await keepLease())) return;
      await follow(subscription, end, readAfter);
    }
  }

  async function follow(subscription: FollowedSubscription, end: Position, readAfter: ReadAfter): Promise<void> {
    const { key, xid, changeKey, isSwept } = subscription;
    const stored = xid === null || changeKey === null ? undefined : { xid, key: changeKey };
    if (!stored || isSwept) return startAgain(db, subscription, end);
    let { waiting } = subscription;
    let from = stored;
    for (let count = 0; count < mostBatches && waiting < mostSingle; count += 1) {
      const place = furthest(from, ahead.get(key)?.place);
      if (!isAfter(end, place)) break;
      const batch = await readAfter(place);
      if (!batch) break;
      if (batch.sweptTo) return startAgain(db, subscription, end);
      const found = await findMatching(db, subscription, batch);
      if (found.length === 0) {
        ahead.set(key, { place: batch.end, sinceMs: ahead.get(key)?.sinceMs ?? performance.now() });
        continue;
      }
      const ranges = rangesOf(found, place, waiting);
      if (!(await writeMessages(db, subscription, { from, to: batch.end }, ranges))) return;
      ahead.delete(key);
      from = batch.end;
      waiting += ranges.length;
    }
    await keepPlace(key, from);
  }

  async function keepPlace(subscriptionID: number, from: Position): Promise<void> {
    const known = ahead.get(subscriptionID);
    if (!known || performance.now() - known.sinceMs < keepPlaceMs) return;
    await movePlace(db, subscriptionID, from, known.place);
    ahead.delete(subscriptionID);
  }

  const stopLoop = startLoop('subscriptions', everyMs, step, log);
  return async () => {
    stopping.abort();
    await stopLoop();
    await releaseFollowLease(db, holder);
  };
}

type ReadAfter = Live['changes']['after'];

/** Most subscriptions are at the same place, so that each part of the log and its records are read once. */
function rememberBatches(changes: Live['changes']): ReadAfter {
  const known = new Map<string, ReturnType<ReadAfter>>();
  return (place) => {
    const name = `${place.xid}-${place.key}`;
    const batch = known.get(name) ?? changes.after(place);
    known.set(name, batch);
    return batch;
  };
}

const furthest = (one: Position, other: Position | undefined): Position => (other && isAfter(other, one) ? other : one);

/** One range for each change, or for many if more are waiting. */
function rangesOf(found: readonly VisibleChange[], place: Position, waiting: number): readonly ChangeRange[] {
  const each = waiting + found.length <= mostSingle ? 1 : mostInMessage;
  const ranges: ChangeRange[] = [];
  for (let at = 0; at < found.length; at += each) {
    const last = found[Math.min(at + each, found.length) - 1]!.row;
    const until = { xid: last.xid, key: last.key };
    ranges.push({ after: ranges.at(-1)?.until ?? place, until });
  }
  return ranges;
}
