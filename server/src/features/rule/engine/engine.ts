import type { Pool } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { MatchFollower } from './follower.ts';
import { judgeBatch } from './judge-batch.ts';
import { createRuleCache } from './rule-cache.ts';
import { sweepPiece } from './sweep.ts';

/** How long a change waits at most before it is judged, while a node has time. */
const everyMs = 300;

/** Judges what has changed, batch by batch, until nothing waits. */
export function startEngine(db: Pool, log: Log, follower: MatchFollower): () => Promise<void> {
  const cache = createRuleCache();
  const stopping = new AbortController();
  const stop = startLoop(
    'rules',
    everyMs,
    async () => {
      // Changes come before sweeps, which may take long.
      while (
        !stopping.signal.aborted &&
        ((await judgeBatch(db, cache, follower)) > 0 || (await sweepPiece(db, cache, follower)))
      );
    },
    log,
  );
  return async () => {
    stopping.abort();
    await stop();
  };
}
