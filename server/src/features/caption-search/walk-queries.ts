import { largestInteger } from '@earshot/contract/values';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Search, Slice } from './matching.ts';
import { isMatch } from './match-queries.ts';
import { needed } from './matching.ts';
import { hitColumns, orderMatches, sliceOf } from './ranking-queries.ts';
import type { Scope } from './scope-queries.ts';
import { inRange, ofDevices } from './scope-queries.ts';

/*
 * Reads captions in time order, from the requested end. The captions are read in lanes: one lane for all, one per
 * device, or one per tag of each device, whichever has the fewest rows to read. If there are several lanes, each is
 * read up to a limit. Matches before the earliest point where a lane reached its limit are certain to be the first in
 * order.
 */

export interface Counted {
  readonly found: number;
  /** Whether all captions were read. */
  readonly isWhole: boolean;
  /** How many of the found matches are certainly the first in order. */
  readonly certain: number;
  /** The slice, limited to certain matches. */
  readonly keys: readonly number[];
}

export interface Walked extends Counted {
  /** Captions read. */
  readonly looked: number;
  /** In one lane: the start of the first caption, and of the first one that was not read. */
  readonly fromMs?: number | null;
  readonly toMs?: number | null;
}

export type Lanes = 'one' | 'devices' | 'tags';

export function chooseLanes({ scope: { devices, tagIDs }, limits: { mostLanes } }: Search): Lanes {
  if (devices && tagIDs && devices.length * tagIDs.length <= mostLanes.tags) return 'tags';
  return devices && devices.length <= mostLanes.devices ? 'devices' : 'one';
}

const laneCount = ({ devices, tagIDs }: Scope, lanes: Lanes): number => {
  if (lanes === 'one') return 1;
  return (devices?.length ?? 1) * (lanes === 'tags' ? (tagIDs?.length ?? 1) : 1);
};

/** Reads about this many captions to count matches, after a first walk. The slice may be unknown: `certain` is 0 then. */
export function walkToCount(db: Db, search: Search, first: Walked, most: number): Promise<Counted> {
  const lanes = chooseLanes(search);
  if (lanes === 'one') return countInTime(db, search, first, most);
  return lanes === 'devices' ? countInLanes(db, search, most) : walkInLanes(db, search, lanes, most);
}

/**
 * Looks for one match more than are counted, in lanes of devices, without an order, so that it ends at the last one. The
 * slice is correct only if these are all.
 */
async function countInLanes(db: Db, search: Search, most: number): Promise<Counted> {
  const { scope, slice, limits } = search;
  const { devices = [] } = scope;
  const each = Math.ceil(most / laneCount(scope, 'devices'));
  const beyond = db`
    select 1 from unnest(${devices as number[]}::bigint[]) d (lane) cross join lateral (
      select 1 from caption_search s where s.device_id = d.lane and ${inRange(db, scope, db`s.start_ms`)}
      ${orderMatches(db, slice)} offset ${each} limit 1) s`;
  const areAll = db`((select count(*) from hits) <= ${limits.mostCounted} and not exists (${beyond}))`;
  const [row] = await db<[Omit<Counted, 'certain'>]>`
    with hits as materialized (
      select ${hitColumns(db, search)} from (${laneRows(db, scope, 'devices', slice, each)}) s
      where ${isMatch(db, search)} limit ${limits.mostCounted + 1})
    select (select count(*) from hits) as found, ${areAll} as "isWhole",
      case when ${areAll} then ${sliceOf(db, search, { rows: db`hits`, areAll })} else '{}' end as keys`;
  return { ...row, certain: 0 };
}

/** Reads at most about this many captions. */
export function walk(db: Db, search: Search, most: number): Promise<Walked> {
  const lanes = chooseLanes(search);
  return lanes === 'one' ? walkThroughAll(db, search, most) : walkInLanes(db, search, lanes, most);
}

/**
 * Reads the captions in order, up to the first one that is not among the first so many. The index in time order contains
 * the device, so captions of other devices are skipped without reading them.
 */
async function walkThroughAll(db: Db, search: Search, most: number): Promise<Walked> {
  const { scope, slice, limits } = search;
  const all = db`from caption_search s where ${inRange(db, scope, db`s.start_ms`)}`;
  const order = orderMatches(db, slice);
  const edge = db`coalesce((select start_ms from edge), ${isAscending(search) ? largestInteger : -1}::bigint)`;
  const wanted = Math.max(limits.mostCounted + 1, needed(search));
  const isWhole = db`not exists (select 1 from edge)`;
  const areAll = db`(${isWhole} and (select count(*) from hits) <= ${limits.mostCounted})`;
  const [row] = await db<[Omit<Walked, 'looked' | 'certain'>]>`
    with edge as materialized (select s.start_ms ${all} ${order} offset ${most} limit 1),
    hits as materialized (
      select ${hitColumns(db, search)} from (
        select s.* ${all} and ${isBefore(db, search, edge)} and ${ofDevices(db, scope)} ${order} limit ${most}) s
      where ${isMatch(db, search)} limit ${wanted})
    select (select count(*) from hits) as found, ${isWhole} as "isWhole",
      (select s.start_ms ${all} ${order} limit 1) as "fromMs", (select start_ms from edge) as "toMs",
      ${sliceOf(db, search, { rows: db`hits`, areAll })} as keys`;
  return { ...row, looked: most, certain: row.found };
}

/** How many of the captions that a first walk read are of the devices searched. */
export async function countOfDevices(db: Db, search: Search, { looked, toMs }: Walked): Promise<number> {
  const { scope } = search;
  if (!scope.devices || chooseLanes(search) !== 'one') return looked;
  const isRead = isBefore(db, search, db`${toMs ?? 0}::bigint`);
  const [row] = await db<[{ count: number }]>`
    select count(*) from caption_search s
    where ${inRange(db, scope, db`s.start_ms`)} and ${isRead} and ${ofDevices(db, scope)}`;
  return row.count;
}

/** The time is longer by this factor, because captions may be sparser than those of the first walk. */
const timeSlack = 3;

/**
 * Looks for one match more than are counted, in the time in which about so many captions were recorded. Without an
 * order, which would mean to read the index entries of all devices. The slice is correct only if these are all.
 */
async function countInTime(db: Db, search: Search, first: Walked, captions: number): Promise<Counted> {
  const { scope, slice, limits } = search;
  const { looked, fromMs, toMs } = first;
  const lengthMs = ((toMs ?? 0) - (fromMs ?? 0)) * (captions / looked) * timeSlack;
  const edgeMs = Math.max(-1, Math.min(largestInteger, Math.trunc((fromMs ?? 0) + lengthMs)));
  const isInside = isBefore(db, search, db`${edgeMs}::bigint`);
  const all = db`from caption_search s where ${inRange(db, scope, db`s.start_ms`)}`;
  const areAll = db`(not exists (select 1 from beyond) and (select count(*) from hits) <= ${limits.mostCounted})`;
  const [row] = await db<[Omit<Counted, 'certain'>]>`
    with beyond as materialized (select s.start_ms ${all} and not ${isInside} ${orderMatches(db, slice)} limit 1),
    hits as materialized (
      select ${hitColumns(db, search)} ${all} and ${isInside} and ${ofDevices(db, scope)} and ${isMatch(db, search)}
      limit ${limits.mostCounted + 1})
    select (select count(*) from hits) as found, ${areAll} as "isWhole",
      case when ${areAll} then ${sliceOf(db, search, { rows: db`hits`, areAll })} else '{}' end as keys`;
  return { ...row, certain: 0 };
}

const isAscending = ({ slice }: Search): boolean => slice.order === 'asc';

/** Captions that begin at the edge are left out: a comparison of two columns does not end a scan of the index. */
const isBefore = (db: Db, search: Search, edge: Fragment): Fragment =>
  isAscending(search) ? db`s.start_ms < ${edge}` : db`s.start_ms > ${edge}`;

async function walkInLanes(db: Db, search: Search, lanes: Lanes, most: number): Promise<Walked> {
  const { scope, slice, limits } = search;
  const each = Math.ceil(most / laneCount(scope, lanes));
  const ascending = isAscending(search);
  const hits = db`(select * from hits where (select at from edge) is null
    or start_ms ${ascending ? db`<` : db`>`} (select at from edge))`;
  const areAll = db`((select at from edge) is null and (select count(*) from hits) <= ${limits.mostCounted})`;
  const [row] = await db<[Walked]>`
    with seen as materialized (
      select s.lane, s.lane_start_ms, ${hitColumns(db, search)},
        coalesce(${isMatch(db, search)}, false) as is_hit
      from (${laneRows(db, scope, lanes, slice, each)}) s),
    edge as (
      select ${ascending ? db`min` : db`max`}(l.at) as at from (
        select ${ascending ? db`max` : db`min`}(lane_start_ms) as at from seen group by lane having count(*) >= ${each}) l),
    hits as materialized (select distinct ${hitColumns(db, search)} from seen s where is_hit)
    select (select count(*) from seen) as looked, (select count(*) from hits) as found,
      (select at from edge) is null as "isWhole", (select count(*) from ${hits} h) as certain,
      ${sliceOf(db, search, { rows: hits, areAll })} as keys`;
  return row;
}

function laneRows(db: Db, scope: Scope, lanes: Lanes, slice: Slice, each: number): Fragment {
  const { devices = [], tagIDs = [] } = scope;
  const columns = db`s.audio_clip_id, s.device_id, s.start_ms, s.text`;
  if (lanes === 'devices') {
    return db`
      select d.lane, s.start_ms as lane_start_ms, ${columns}
      from unnest(${devices as number[]}::bigint[]) d (lane) cross join lateral (
        select * from caption_search s where s.device_id = d.lane and ${inRange(db, scope, db`s.start_ms`)}
        ${orderMatches(db, slice)} limit ${each}) s`;
  }
  const direction = slice.order === 'asc' ? db`asc` : db`desc`;
  // Clips without a caption count as read, with a null text.
  return db`
    select d.lane * ${tagIDs.length}::bigint + g.place as lane, t.clip_start_ms as lane_start_ms, ${columns}
    from unnest(${devices as number[]}::bigint[]) with ordinality d (device_id, lane)
    cross join unnest(${tagIDs as number[]}::bigint[]) with ordinality g (tag_id, place)
    cross join lateral (
      select t.audio_clip_id, t.clip_start_ms from audio_clip_tags t
      where t.device_id = d.device_id and t.tag_id = g.tag_id and ${inRange(db, scope, db`t.clip_start_ms`)}
      order by t.clip_start_ms ${direction}, t.audio_clip_id ${direction} limit ${each}) t
    left join lateral (select * from caption_search s where s.audio_clip_id = t.audio_clip_id limit 1) s on true`;
}
