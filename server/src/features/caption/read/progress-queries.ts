import { mostRunning } from '@earshot/contract/caption-progress';
import type { CaptionProgress } from '@earshot/contract/caption-progress';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { CaptionEngine } from '../../../platform/listening/engine.ts';
import type { EngineState } from '../../../platform/listening/readiness.ts';
import { deviceRight } from '../../../access.ts';
import { isRunning } from '../transcribe/part-queries.ts';

/** A worker without a write for this long counts as stopped. */
const nodeTimeoutSeconds = 30;

export type Counts = Pick<CaptionProgress, 'waitingCount' | 'workingCount' | 'oldestWaitingSeconds' | 'failedCount'>;

const captionTypes = (db: Db): Fragment =>
  db`(select array_agg(key) from event_types where event_type_name in ('Caption_audio', 'Caption_words'))`;

/** Each count uses an index that holds only such events. With a caller, only events of devices that the caller may read. */
export async function countEvents(db: Db, caller?: Caller): Promise<Counts> {
  const whose = caller
    ? db`and exists (select 1 from devices d where d.key = e.device_id and ${deviceRight(db, caller, 'read')})`
    : db``;
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

type EngineFacts = Pick<CaptionProgress, 'state' | 'reason' | 'engineName' | 'engineVersion' | 'thirdListen'>;

/** The best engine state of all workers. */
export async function findEngine(db: Db): Promise<EngineFacts> {
  const [row] = await db<EngineFacts[]>`
    select engine_name as "engineName", engine_version as "engineVersion", state, reason,
      coalesce(third_listen, 'off') as "thirdListen" from listening_nodes
    where heard_date > now() - make_interval(secs => ${nodeTimeoutSeconds})
    order by array_position(array['ready', 'preparing', 'unavailable'], state), heard_date desc limit 1`;
  return (
    row ?? {
      state: 'unavailable',
      thirdListen: 'off',
      reason:
        'Nothing transcribes here: the server runs without a speech engine. An operator of the server can turn one on.',
    }
  );
}

/** The table has only clips whose transcription has begun and takes a while. */
export const listRunning = (db: Db, caller: Caller): Promise<CaptionProgress['runningList']> =>
  db<CaptionProgress['runningList']>`
    select r.audio_clip_id as "audioClipID", max(r.heard_until_ms) as "heardUntilMs"
    from caption_runs r join audio_clips c on c.key = r.audio_clip_id join devices d on d.key = c.device_id
    where ${isRunning(db)} and ${deviceRight(db, caller, 'read')}
      and not exists (select 1 from captions p where p.audio_clip_id = r.audio_clip_id)
    group by r.audio_clip_id order by r.audio_clip_id desc limit ${mostRunning}`;

interface EngineOfNode {
  readonly node: string;
  readonly name: string;
  readonly version: string;
  readonly state: EngineState;
  readonly reason: string | null;
  readonly thirdListen: CaptionEngine['thirdListen'];
}

export async function putEngineState(
  db: Db,
  { node, name, version, state, reason, thirdListen }: EngineOfNode,
): Promise<void> {
  await db`
    insert into listening_nodes (node, engine_name, engine_version, state, reason, third_listen)
    values (${node}, ${name}, ${version}, ${state}, ${reason}, ${thirdListen ?? null})
    on conflict (node) do update set state = excluded.state, reason = excluded.reason, heard_date = now()`;
}

export const removeNode = (db: Db, node: string): Promise<unknown> =>
  db`delete from listening_nodes where node = ${node}`;

export const removeStoppedNodes = (db: Db): Promise<unknown> =>
  db`delete from listening_nodes where heard_date < now() - interval '1 day'`;
