import type { CaptionProgress } from '@earshot/contract/caption';
import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Metrics } from '../../platform/http/metrics.ts';
import type { EngineIdentity } from '../../platform/listening/engine.ts';
import type { EngineState, Readiness } from '../../platform/listening/readiness.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { deviceRight } from '../access/rules.ts';

/** How often at least it is told; what changes, at the next look. */
const tellMs = 5_000;
const lookMs = 500;
const measureMs = 15_000;
/** A worker that was not heard of for this long is gone. */
const believedSeconds = 30;

type Counts = Pick<CaptionProgress, 'waitingCount' | 'workingCount' | 'oldestWaitingSeconds' | 'failedCount'>;

const captionTypes = (db: Db): Fragment =>
  db`(select array_agg(key) from event_types where event_type_name in ('Caption_audio', 'Caption_words'))`;

/** Each part by the index that holds only such events; `whose` says of which devices, over the alias e. */
async function countEvents(db: Db, whose: Fragment): Promise<Counts> {
  const [row] = await db<Counts[]>`
    with types as materialized (select unnest(${captionTypes(db)}) as key),
    waiting as (
      select e.creation_date from types t join events e on e.event_type_id = t.key
      where e.event_status = 1 and e.server_event = 1 ${whose}),
    working as (
      select 1 from events e where e.event_status in (2, 3) and e.server_event = 1
        and e.event_type_id in (select key from types) ${whose}),
    failed as (
      select 1 from types t join events e on e.event_type_id = t.key
      where e.server_event = 1 and e.event_status in (5, 6) and e.taken_date > now() - interval '1 day' ${whose})
    select (select count(*) from waiting) as "waitingCount", (select count(*) from working) as "workingCount",
      (select coalesce(greatest(0, extract(epoch from now() - min(creation_date)))::bigint, 0) from waiting)
        as "oldestWaitingSeconds",
      (select count(*) from failed) as "failedCount"`;
  return row ?? { waitingCount: 0, workingCount: 0, oldestWaitingSeconds: 0, failedCount: 0 };
}

type EngineFacts = Pick<CaptionProgress, 'state' | 'reason' | 'engineName' | 'engineVersion'>;

/** The best that any worker can do. */
async function findEngine(db: Db): Promise<EngineFacts> {
  const [row] = await db<EngineFacts[]>`
    select engine_name as "engineName", engine_version as "engineVersion", state, reason from listening_nodes
    where heard_date > now() - make_interval(secs => ${believedSeconds})
    order by array_position(array['ready', 'preparing', 'unavailable'], state), heard_date desc limit 1`;
  return (
    row ?? {
      state: 'unavailable',
      reason: 'No worker with an engine that listens is running; see EARSHOT_CAPTION_ENGINE.',
    }
  );
}

/** Two statements. What others have waiting is counted for nobody but them. */
export async function readProgress(db: Db, caller: Caller): Promise<CaptionProgress> {
  const isReadable = db`and exists (
    select 1 from devices d where d.key = e.device_id and ${deviceRight(db, caller, 'read')})`;
  const seesAll = caller.role === 'admin' && caller.deviceID === undefined;
  const { reason, ...engine } = await findEngine(db);
  return {
    ...(await countEvents(db, seesAll ? db`` : isReadable)),
    ...engine,
    // It names folders and servers, which are for those who run the platform.
    ...(reason ? { reason: seesAll ? reason : 'The engine does not work just now; an admin sees why.' } : {}),
  };
}

/** Tells all nodes how the engines of this worker are. */
export function announceEngine(
  db: Pool,
  log: Log,
  node: string,
  { name, version }: EngineIdentity,
  readiness: Readiness,
): () => Promise<void> {
  let told: { state: EngineState; at: number } | undefined;
  const tell = async () => {
    const { state, reason = null } = readiness;
    if (told?.state === state && performance.now() - told.at < tellMs) return;
    await db`
      insert into listening_nodes (node, engine_name, engine_version, state, reason)
      values (${node}, ${name}, ${version}, ${state}, ${reason})
      on conflict (node) do update set state = excluded.state, reason = excluded.reason, heard_date = now()`;
    await db`delete from listening_nodes where heard_date < now() - interval '1 day'`;
    told = { state, at: performance.now() };
  };
  const stopLoop = startLoop('state of the engine', lookMs, tell, log, true);
  return async () => {
    await stopLoop();
    await db`delete from listening_nodes where node = ${node}`;
  };
}

/** For dashboards: how much waits, and for how long. Measured now and then, for a scrape must not wait for the database. */
export function measureCaptions(db: Pool, log: Log, metrics: Metrics): () => Promise<void> {
  let counts: Counts = { waitingCount: 0, workingCount: 0, oldestWaitingSeconds: 0, failedCount: 0 };
  metrics.addGauge('earshot_captions_waiting', 'Events for captions that wait.', () => counts.waitingCount);
  metrics.addGauge('earshot_captions_working', 'Events for captions under way.', () => counts.workingCount);
  metrics.addGauge(
    'earshot_captions_lag_seconds',
    'How long the oldest waiting one has waited.',
    () => counts.oldestWaitingSeconds,
  );
  metrics.addGauge('earshot_captions_failed', 'Given up within the last day.', () => counts.failedCount);
  const measure = async () => {
    counts = await countEvents(db, db``);
  };
  return startLoop('captions that wait', measureMs, measure, log, true);
}
