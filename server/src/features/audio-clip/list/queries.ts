import { largestInteger } from '@earshot/contract/values';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { devicesWithLengths } from '../../device/public.ts';
import type { StoredClip } from '../queries.ts';
import { clipColumns } from '../queries.ts';
import type { MoreColumns } from './name-queries.ts';
import type { SearchTerm } from '@earshot/contract/words/public';
import { transcriptContains } from '../../caption-index/public.ts';
import type { CallFilter } from '../radio/queries.ts';
import { matchesCall } from '../radio/queries.ts';

/*
 * Lists of clips cost the same among a hundred million clips as among a thousand: every query reads along an index,
 * from the requested end, and stops when it has enough rows.
 *
 *   of a device     its clips in time order (audio_clips_of_device), those of a type (audio_clips_announced), or those
 *                   with a tag (audio_clip_tags_of_device), or radio calls (the indexes of radio_calls)
 *   of several      reads the first clips of each device (at least one, at most its share of `count`) and keeps the
 *                   first `count` of them. Only the devices of these can have clips in the list, and no clip after the
 *                   last of these is in the list, so few clips are read of each device
 *
 * A clip that begins before the range may extend into it. The longest clip that the device ever had limits how far back
 * the query must read; these few clips are checked by their end.
 */

export interface ClipFilter {
  /** One device, some, or undefined for every device that the caller may read. */
  readonly devices: number | readonly number[] | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly typeID?: number | undefined;
  /** Clips with at least one of these tags. */
  readonly tagIDs?: readonly number[] | undefined;
  /** Only radio calls that match. */
  readonly call?: CallFilter | undefined;
  /** Clips whose transcript matches all of these terms. */
  readonly terms?: readonly SearchTerm[] | undefined;
  /** Only clips after this place, in the order of the list. */
  readonly after?: ListPosition | undefined;
  readonly count: number;
  readonly ascending: boolean;
}

/** The position of a clip in a list. Clips that start at the same time are ordered by key. */
export interface ListPosition {
  readonly startMs: number;
  readonly key: number;
}

interface Bounds {
  readonly from: Fragment;
  readonly to: Fragment;
}

const direction = (db: Db, { ascending }: ClipFilter): Fragment => (ascending ? db`asc` : db`desc`);

/** The interval in which clips of the device `d` can begin if they overlap the range. */
function reach(db: Db, { fromMs, toMs = largestInteger, after, ascending }: ClipFilter): Bounds {
  const from = fromMs === undefined ? db`0::bigint` : db`${fromMs}::bigint - d.longest_clip_ms`;
  if (!after) return { from, to: db`${toMs}::bigint` };
  return ascending
    ? { from: db`greatest(${from}, ${after.startMs}::bigint)`, to: db`${toMs}::bigint` }
    : { from, to: db`${Math.min(toMs, after.startMs + 1)}::bigint` };
}

/** The other conditions, checked on the clip itself. */
function conditions(db: Db, filter: ClipFilter, key: Fragment, start: Fragment): Fragment {
  const { fromMs, toMs, terms, after } = filter;
  // Scalar subqueries: looked up row by row, they cannot become a join with the whole table.
  const overlaps = db`and (${start} >= ${fromMs ?? 0}::bigint
    or (select o.end_ms from audio_clips o where o.key = ${key}) > ${fromMs ?? 0}::bigint)`;
  const said = db`and ${transcriptContains(db, key, terms ?? [])}`;
  // Leaves out the clips at the boundary that the previous page has shown; the bounds leave out all others.
  const place = after ?? { startMs: 0, key: 0 };
  const isAhead = filter.ascending ? db`${key} > ${place.key}::bigint` : db`${key} < ${place.key}::bigint`;
  const further = db`and (${start} <> ${place.startMs}::bigint or ${isAhead})`;
  // No clip overlaps an empty range.
  const within = fromMs === toMs ? db`and false` : overlaps;
  return db`${fromMs === undefined ? db`` : within} ${after ? further : db``} ${terms ? said : db``}`;
}

/** The first clips of the device `d`, as `start_ms` and `key`. */
export function firstOfDevice(db: Db, filter: ClipFilter, limit: number | Fragment, bounds: Bounds): Fragment {
  if (filter.tagIDs) return firstWithTags(db, filter, filter.tagIDs, limit, bounds);
  if (filter.call) return firstCalls(db, filter, filter.call, limit, bounds);
  const order = direction(db, filter);
  const rest = conditions(db, filter, db`c.key`, db`c.start_ms`);
  const { typeID } = filter;
  if (typeID === undefined) {
    return db`
      select c.start_ms, c.key from audio_clips c
      where c.device_id = d.key and c.start_ms >= ${bounds.from} and c.start_ms < ${bounds.to} ${rest}
      order by c.start_ms ${order}, c.key ${order} limit ${limit}`;
  }
  // Comparing and ordering by type and start together leaves the planner one index: the one by type.
  return db`
    select c.start_ms, c.key from audio_clips c
    where c.device_id = d.key and (c.audio_clip_type_id, c.start_ms) >= (${typeID}::bigint, ${bounds.from})
      and (c.audio_clip_type_id, c.start_ms) < (${typeID}::bigint, ${bounds.to}) ${rest}
    order by c.audio_clip_type_id ${order}, c.start_ms ${order}, c.key ${order} limit ${limit}`;
}

function firstCalls(db: Db, filter: ClipFilter, call: CallFilter, limit: number | Fragment, bounds: Bounds): Fragment {
  const order = direction(db, filter);
  return db`
    select r.clip_start_ms as start_ms, r.audio_clip_id as key from radio_calls r
    where r.device_id = d.key and r.clip_start_ms >= ${bounds.from} and r.clip_start_ms < ${bounds.to}
      and ${matchesCall(db, call)} ${conditions(db, filter, db`r.audio_clip_id`, db`r.clip_start_ms`)}
      ${isOfType(db, filter, db`r.audio_clip_id`)}
    order by r.clip_start_ms ${order}, r.audio_clip_id ${order} limit ${limit}`;
}

/** A scalar subquery, which cannot become a join with the whole table. */
const isOfType = (db: Db, { typeID }: ClipFilter, clipID: Fragment): Fragment =>
  typeID === undefined
    ? db``
    : db`and (select o.audio_clip_type_id from audio_clips o where o.key = ${clipID}) = ${typeID}::bigint`;

/** A clip may have several of the tags, and a tag several times. */
function firstWithTags(
  db: Db,
  filter: ClipFilter,
  tagIDs: readonly number[],
  limit: number | Fragment,
  bounds: Bounds,
): Fragment {
  const order = direction(db, filter);
  return db`
    select distinct p.start_ms, p.key
    from unnest(${tagIDs as number[]}::bigint[]) g (tag_id) cross join lateral (
      select distinct t.clip_start_ms as start_ms, t.audio_clip_id as key from audio_clip_tags t
      where t.device_id = d.key and t.tag_id = g.tag_id
        and t.clip_start_ms >= ${bounds.from} and t.clip_start_ms < ${bounds.to}
        ${conditions(db, filter, db`t.audio_clip_id`, db`t.clip_start_ms`)}
        ${isOfType(db, filter, db`t.audio_clip_id`)}
        ${filter.call ? isCall(db, filter.call, db`t.audio_clip_id`) : db``}
      order by t.clip_start_ms ${order}, t.audio_clip_id ${order} limit ${limit}) p
    order by p.start_ms ${order}, p.key ${order} limit ${limit}`;
}

const isCall = (db: Db, call: CallFilter, clipID: Fragment): Fragment =>
  db`and (select true from radio_calls r where r.audio_clip_id = ${clipID} and ${matchesCall(db, call)} limit 1)`;

export const orderClips = (db: Db, filter: ClipFilter, row: Fragment): Fragment =>
  db`order by ${row}.start_ms ${direction(db, filter)}, ${row}.key ${direction(db, filter)}`;

/** The condition that a device `d` is one of these, before further conditions. */
export const amongDevices = (db: Db, devices: readonly number[] | undefined): Fragment =>
  devices ? db`d.key = any(${devices as number[]}::bigint[]) and` : db``;

/** `first`, the clips of the list as `start_ms` and `key`, in a `with`. */
export function firstClips(db: Db, caller: Caller, filter: ClipFilter): Fragment {
  const { devices, count } = filter;
  const bounds = reach(db, filter);
  const readable = deviceRight(db, caller, 'read');
  if (typeof devices === 'number') {
    return db`first as (
      select p.start_ms, p.key from ${devicesWithLengths(db, db`d.key = ${devices} and ${readable}`)}
      cross join lateral (${firstOfDevice(db, filter, count, bounds)}) p)`;
  }
  const among = amongDevices(db, devices);
  const last = db`(select start_ms from last_best)`;
  const closer: Bounds = filter.ascending
    ? { from: bounds.from, to: db`least(${bounds.to}, ${last} + 1)` }
    : { from: db`greatest(${bounds.from}, ${last})`, to: bounds.to };
  return db`
    readable as materialized (select d.key, d.longest_clip_ms from ${devicesWithLengths(db, db`${among} ${readable}`)}),
    share as materialized (
      select greatest(1, ceil(${count}::float8 / greatest(1, count(*))))::int as clips from readable),
    best as materialized (
      select d.key as device_id, d.longest_clip_ms, p.start_ms, p.key
      from readable d cross join lateral (${firstOfDevice(db, filter, db`(select clips from share)`, bounds)}) p
      ${orderClips(db, filter, db`p`)} limit ${count}),
    last_best as materialized (
      select case when count(*) = ${count} then ${filter.ascending ? db`max` : db`min`}(start_ms) end as start_ms from best),
    first as (
      select p.start_ms, p.key from (select distinct device_id as key, longest_clip_ms from best) d
      cross join lateral (${firstOfDevice(db, filter, count, closer)}) p
      ${orderClips(db, filter, db`p`)} limit ${count})`;
}

export const noMoreColumns: MoreColumns = (db) => db``;

/** The key of the clip's caption, if it has one. */
export const captionID: MoreColumns = (db) => db`,
  (select s.audio_clip_id from captions s where s.audio_clip_id = c.key) as "captionID"`;

/** The words of the clip, where there are any. */
export const transcript: MoreColumns = (db, caller) => db`${captionID(db, caller)},
  (select s.transcript from captions s where s.audio_clip_id = c.key) as transcript`;

export async function listClips<Row extends StoredClip>(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  more: MoreColumns,
): Promise<Row[]> {
  return db<Row[]>`
    with ${firstClips(db, caller, filter)}
    select ${clipColumns(db)} ${more(db, caller)}
    from first p
    cross join lateral (select * from audio_clips c where c.key = p.key limit 1) c
    cross join lateral (select * from devices d where d.key = c.device_id limit 1) d
    ${orderClips(db, filter, db`p`)}`;
}

export interface ClipPage {
  readonly deviceID: number;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Continues after this clip. */
  readonly after: { readonly startMs: number; readonly key: number };
  readonly count: number;
}

/** The next clips of a device that overlap the range, oldest first. */
export async function listPage(db: Db, caller: Caller, page: ClipPage): Promise<StoredClip[]> {
  const { after, count } = page;
  const filter = { ...page, devices: page.deviceID, ascending: true };
  const { from, to } = reach(db, filter);
  return db<StoredClip[]>`
    select ${clipColumns(db)}
    from ${devicesWithLengths(db, db`d.key = ${page.deviceID} and ${deviceRight(db, caller, 'read')}`)} cross join lateral (
      select * from audio_clips c
      where c.device_id = d.key and c.start_ms >= ${from} and c.start_ms < ${to}
        and (c.start_ms, c.key) > (${after.startMs}::bigint, ${after.key}::bigint)
        ${conditions(db, filter, db`c.key`, db`c.start_ms`)}
      order by c.start_ms, c.key limit ${count}) c`;
}
