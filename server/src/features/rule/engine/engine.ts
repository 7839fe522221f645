import { isConnectionLoss } from '../../../platform/database/connection-error.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { MatchFollower } from './follower.ts';
import { againMinutes, setAsidePlace, tryLockEngine } from './engine-queries.ts';
import { judgeBatch, mostAtOnce } from './judge-batch.ts';
import { createRuleCache } from './rule-cache.ts';
import { findSweep, setAsideSweep } from './sweep-queries.ts';
import { sweepPiece } from './sweep.ts';
import { judgeStates, mostStatesAtOnce } from '../state/sweep/judge-states.ts';
import { setAsideDue } from '../state/sweep/due-queries.ts';

/** How long a change waits at most before it is judged, while a node has time. */
const everyMs = 300;

/**
 * Judges what has changed, batch by batch, until nothing waits. After a failure the batches get smaller, down to one clip,
 * which is then set aside, so that one clip does not stop the others.
 */
export function startEngine(db: Pool, log: Log, follower: MatchFollower, stateDays: number): () => Promise<void> {
  const cache = createRuleCache();
  const stopping = new AbortController();
  let most = mostAtOnce;
  let mostStates = mostStatesAtOnce;

  async function judge(): Promise<number> {
    try {
      const judged = await judgeBatch(db, cache, follower, most);
      most = Math.min(most * 2, mostAtOnce);
      return judged;
    } catch (error) {
      if (most > 1 || isConnectionLoss(error)) {
        most = Math.ceil(most / 8);
        throw error;
      }
      const audioClipID = await inTransaction(db, async (tx) =>
        (await tryLockEngine(tx)) ? setAsidePlace(tx) : undefined,
      );
      if (audioClipID !== undefined)
        log.error({ error, audioClipID }, 'rules could not judge a clip; it is tried again later');
      return 1;
    }
  }

  async function watch(): Promise<number> {
    try {
      const judged = await judgeStates(db, cache, follower, stateDays, mostStates);
      mostStates = Math.min(mostStates * 2, mostStatesAtOnce);
      return judged;
    } catch (error) {
      if (mostStates > 1 || isConnectionLoss(error)) {
        mostStates = Math.ceil(mostStates / 8);
        throw error;
      }
      const deviceID = await inTransaction(db, async (tx) =>
        (await tryLockEngine(tx)) ? setAsideDue(tx, againMinutes) : undefined,
      );
      if (deviceID !== undefined)
        log.error({ error, deviceID }, 'rules could not judge the state of a device; it is tried again later');
      return 1;
    }
  }

  async function sweep(): Promise<boolean> {
    const next = await findSweep(db);
    if (!next) return false;
    try {
      return await sweepPiece(db, cache, follower);
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      await setAsideSweep(db, next.key);
      log.error({ error, ruleID: next.ruleID }, 'clips could not be looked at again for a rule; it is tried later');
      return true;
    }
  }

  const stop = startLoop(
    'rules',
    everyMs,
    async () => {
      // Changes and states come before sweeps, which may take long.
      while (!stopping.signal.aborted && ((await judge()) + (await watch()) > 0 || (await sweep())));
    },
    log,
  );
  return async () => {
    stopping.abort();
    await stop();
  };
}
