import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Search, Slice } from './matching.ts';
import { inOrderOf, sliceOf } from './ranking.ts';
import { contains } from './rules.ts';
import type { Scope } from './scope.ts';
import { inScope } from './scope.ts';

/*
 * Looking through captions in time order, from the end that is asked for. They stand in lanes: one for all, one for
 * each device, or one for each tag of each device, whichever has the least to look at. Each lane is looked at up to a
 * number of captions; what lies before the first end of such a look is known for certain.
 */

const mostLanes = 100;
const mostTagLanes = 5_000;

export interface Walked {
  /** Captions looked at. */
  readonly looked: number;
  readonly found: number;
  /** Whether there is nothing else to look at. */
  readonly isWhole: boolean;
  /** How many of those found are the first in order, whatever else there is. */
  readonly certain: number;
  /** The slice, as far as it is certain. */
  readonly keys: readonly number[];
}

export type Lanes = 'one' | 'devices' | 'tags';

export function chooseLanes({ devices, tagIDs }: Scope): Lanes {
  if (devices && tagIDs && devices.length * tagIDs.length <= mostTagLanes) return 'tags';
  return devices && devices.length <= mostLanes ? 'devices' : 'one';
}

const laneCount = ({ devices, tagIDs }: Scope, lanes: Lanes): number => {
  if (lanes === 'one') return 1;
  return (devices?.length ?? 1) * (lanes === 'tags' ? (tagIDs?.length ?? 1) : 1);
};

/** Looks at no more than about so many captions. */
export async function walk(db: Db, search: Search, most: number): Promise<Walked> {
  const { phrases, scope, slice, limits } = search;
  const lanes = chooseLanes(scope);
  const each = Math.ceil(most / laneCount(scope, lanes));
  const ascending = slice.order === 'asc';
  const text = slice.order === 'relevance' ? db`s.text` : db`''::text`;
  const hits = db`(select * from hits where (select at from edge) is null
    or start_ms ${ascending ? db`<` : db`>`} (select at from edge))`;
  const areAll = db`((select at from edge) is null and (select count(*) from hits) <= ${limits.mostCounted})`;
  const [row] = await db<[Walked]>`
    with seen as materialized (
      select s.lane, s.lane_start_ms, s.audio_clip_id, s.start_ms, ${text} as text,
        coalesce(${contains(db, db`s.text`, phrases)} and ${inScope(db, scope)}, false) as is_hit
      from (${laneRows(db, scope, lanes, slice, each)}) s),
    edge as (
      select ${ascending ? db`min` : db`max`}(l.at) as at from (
        select ${ascending ? db`max` : db`min`}(lane_start_ms) as at from seen group by lane having count(*) >= ${each}) l),
    hits as materialized (select distinct audio_clip_id, start_ms, text from seen where is_hit)
    select (select count(*) from seen) as looked, (select count(*) from hits) as found,
      (select at from edge) is null as "isWhole", (select count(*) from ${hits} h) as certain,
      ${sliceOf(db, search, { rows: hits, areAll })} as keys`;
  return row;
}

function laneRows(db: Db, scope: Scope, lanes: Lanes, slice: Slice, each: number): Fragment {
  const { devices = [], tagIDs = [], reachMs, toMs } = scope;
  const within = (start: Fragment) => db`${start} >= ${reachMs}::bigint and ${start} < ${toMs}::bigint`;
  const columns = db`s.audio_clip_id, s.device_id, s.start_ms, s.text`;
  if (lanes === 'one') {
    return db`
      select 0::bigint as lane, s.start_ms as lane_start_ms, ${columns} from caption_search s
      where ${within(db`s.start_ms`)} ${inOrderOf(db, slice)} limit ${each}`;
  }
  if (lanes === 'devices') {
    return db`
      select d.lane, s.start_ms as lane_start_ms, ${columns}
      from unnest(${devices as number[]}::bigint[]) d (lane) cross join lateral (
        select * from caption_search s where s.device_id = d.lane and ${within(db`s.start_ms`)}
        ${inOrderOf(db, slice)} limit ${each}) s`;
  }
  const direction = slice.order === 'asc' ? db`asc` : db`desc`;
  // Clips that were not captioned are passed on the way, without a text.
  return db`
    select d.lane * ${tagIDs.length}::bigint + g.place as lane, t.clip_start_ms as lane_start_ms, ${columns}
    from unnest(${devices as number[]}::bigint[]) with ordinality d (device_id, lane)
    cross join unnest(${tagIDs as number[]}::bigint[]) with ordinality g (tag_id, place)
    cross join lateral (
      select t.audio_clip_id, t.clip_start_ms from audio_clip_tags t
      where t.device_id = d.device_id and t.tag_id = g.tag_id and ${within(db`t.clip_start_ms`)}
      order by t.clip_start_ms ${direction}, t.audio_clip_id ${direction} limit ${each}) t
    left join lateral (select * from caption_search s where s.audio_clip_id = t.audio_clip_id limit 1) s on true`;
}
