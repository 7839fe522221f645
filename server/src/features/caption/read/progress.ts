import type { CaptionProgress } from '@earshot/contract/caption-progress';
import { pauseAfterSeconds } from '@earshot/contract/caption-progress';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Metrics } from '../../../platform/http/door/metrics.ts';
import type { CaptionEngine } from '../../../platform/listening/engine.ts';
import type { EngineState, Readiness } from '../../../platform/listening/readiness.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { hasOldOrders } from '../transcribe/task-queries.ts';
import type { Counts } from './progress-queries.ts';
import {
  countEvents,
  findEngine,
  listRunning,
  putEngineState,
  removeNode,
  removeStoppedNodes,
} from './progress-queries.ts';

/** The longest interval between two writes; a changed state is written at the next check. */
const writeIntervalMs = 5_000;
const checkIntervalMs = 500;
const measureMs = 15_000;

/** Counts only the events of devices that the caller may read. */
export async function readProgress(db: Db, caller: Caller): Promise<CaptionProgress> {
  const seesAll = caller.role === 'admin' && caller.deviceID === undefined;
  const { reason, thirdListen, ...engine } = await findEngine(db);
  const isPaused = thirdListen === 'radio' && (await hasOldOrders(db, pauseAfterSeconds));
  return {
    ...(await countEvents(db, seesAll ? undefined : caller)),
    ...engine,
    thirdListen: isPaused ? 'paused' : thirdListen,
    runningList: await listRunning(db, caller),
    // The reason names folders and servers, so only admins may read it.
    ...(reason
      ? { reason: seesAll ? reason : 'The engine is temporarily unavailable; an admin can see the reason.' }
      : {}),
  };
}

/** Writes the state of this worker's engines for all nodes. */
export function announceEngine(
  db: Pool,
  log: Log,
  node: string,
  { identity: { name, version }, thirdListen }: CaptionEngine,
  readiness: Readiness,
): () => Promise<void> {
  let written: { state: EngineState; at: number } | undefined;
  const write = async () => {
    const { state, reason = null } = readiness;
    if (written?.state === state && performance.now() - written.at < writeIntervalMs) return;
    await putEngineState(db, { node, name, version, state, reason, thirdListen });
    await removeStoppedNodes(db);
    written = { state, at: performance.now() };
  };
  const stopLoop = startLoop('state of the engine', checkIntervalMs, write, log, 0);
  return async () => {
    await stopLoop();
    await removeNode(db, node);
  };
}

/** Gauges of waiting events. Measured periodically, because a scrape must not wait for the database. */
export function measureCaptions(db: Pool, log: Log, metrics: Metrics): () => Promise<void> {
  let counts: Counts = { waitingCount: 0, workingCount: 0, oldestWaitingSeconds: 0, failedCount: 0 };
  metrics.addGauge('earshot_captions_waiting', 'Caption events that are waiting.', () => counts.waitingCount);
  metrics.addGauge('earshot_captions_working', 'Caption events in progress.', () => counts.workingCount);
  metrics.addGauge(
    'earshot_captions_lag_seconds',
    'Waiting time of the oldest waiting caption event.',
    () => counts.oldestWaitingSeconds,
  );
  metrics.addGauge(
    'earshot_captions_failed',
    'Caption events that failed within the last day.',
    () => counts.failedCount,
  );
  const measure = async () => {
    counts = await countEvents(db);
  };
  return startLoop('caption metrics', measureMs, measure, log, 0);
}
