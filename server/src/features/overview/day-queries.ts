import type { TagLevel, WordLevel } from '@earshot/contract/overview';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { deviceContact } from '../device/public.ts';

export const hourMs = 3_600_000;

/** The clips that are counted, about: the newest of each device, and the more of them the fewer devices there are. */
const countedClips = 200_000;
const leastOfDevice = 20;

/** Part of a statement: the keys of the devices that the caller may read. */
const readable = (db: Db, caller: Caller): Fragment => db`
  readable as materialized (select d.key from devices d where ${deviceRight(db, caller, 'read')})`;

export interface CountedHour {
  readonly hour: number;
  readonly clipCount: number;
  readonly soundSeconds: number;
}

export interface CountedClips {
  readonly deviceCount: number;
  readonly isComplete: boolean;
  readonly hours: readonly CountedHour[];
}

/** Clips that start in the time from `fromMs` to `toMs`, by hours since `fromMs`. */
export async function countClips(db: Db, caller: Caller, fromMs: number, toMs: number): Promise<CountedClips> {
  const [row] = await db<CountedClips[]>`
    with ${readable(db, caller)},
    bound as (
      select count(*)::int as devices, greatest(${leastOfDevice}, ${countedClips} / greatest(count(*), 1))::int as most
      from readable),
    counted as materialized (
      select r.key, c.start_ms, c.end_ms from readable r cross join bound b cross join lateral (
        select c.start_ms, c.end_ms from audio_clips c
        where c.device_id = r.key and c.start_ms >= ${fromMs}::bigint and c.start_ms < ${toMs}::bigint
        order by c.start_ms desc, c.key desc limit b.most) c),
    hours as (
      select (start_ms - ${fromMs}::bigint) / ${hourMs} as hour, count(*)::int as "clipCount",
        (coalesce(sum(end_ms - start_ms), 0) / 1000)::bigint as "soundSeconds"
      from counted group by 1)
    select b.devices as "deviceCount",
      not exists (select 1 from counted group by key having count(*) >= b.most) as "isComplete",
      coalesce((select json_agg(h order by h.hour) from hours h), '[]') as hours
    from bound b`;
  return requireValue(row, 'the counts of a day');
}

export interface OnlineHour {
  readonly hour: number;
  /** Null if it is unknown. */
  readonly onlinePercent: number | null;
}

/** How much of each hour the devices that ever had contact were online. */
export async function measureOnline(db: Db, caller: Caller, fromMs: number, hours: number): Promise<OnlineHour[]> {
  return db<OnlineHour[]>`
    with connected as materialized (
      select d.key from devices d cross join ${deviceContact(db)}
      where ${deviceRight(db, caller, 'read')} and contact.heard is not null),
    spans as materialized (
      select t.since, t.until from connected d join online_times t on t.device_id = d.key
      where t.until > to_timestamp(${fromMs}::float8 / 1000)
      union all select o.since, now() from connected d join online_devices o on o.device_id = d.key),
    hours as (
      select n as hour, to_timestamp(${fromMs}::float8 / 1000) + n * interval '1 hour' as since,
        least(to_timestamp(${fromMs}::float8 / 1000) + (n + 1) * interval '1 hour', now()) as until
      from generate_series(0, ${hours}::int - 1) n)
    select h.hour, case when i.online_times_since < h.until and h.until > h.since and c.devices > 0 then
        round((100 * least(1, coalesce((
          select sum(extract(epoch from least(s.until, h.until) - greatest(s.since, h.since)))
          from spans s where s.until > h.since and s.since < h.until), 0)
          / (c.devices * extract(epoch from h.until - greatest(h.since, i.online_times_since)))))::numeric, 1)::float8
      end as "onlinePercent"
    from hours h cross join (select count(*) as devices from connected) c cross join installation i order by h.hour`;
}

/** Devices of which clips are compared; of more devices, the same ones each time. */
const sampledDevices = 200;
/** Clips of all devices together in each hour of the day, and in every six hours of the days before. */
const sampledInSlice = 100;
/** Of a long transcript only its start is compared. */
const comparedCharacters = 600;
const leastClips = 3;
/** With fewer clips in the days before, nothing counts as usual. */
const leastEarlier = 20;
const mostWords = 12;
const mostTags = 8;

export interface DayLevels {
  readonly sampledClipCount: number;
  readonly sampledTranscriptCount: number;
  readonly earlierClipCount: number;
  readonly earlierTranscriptCount: number;
  readonly words: WordLevel[];
  readonly tags: TagLevel[];
}

/**
 * The newest clips of each device in slices of time: the day before `toMs` in hours, and the seven days before it in
 * quarters. Each slice is a short walk along the index of a device, so the cost does not depend on the number of clips.
 */
const sample = (db: Db, toMs: number): Fragment => db`
  chosen as materialized (select key from readable order by key * 2654435761 % 1000003, key limit ${sampledDevices}),
  bound as (select ceil(${sampledInSlice}::float8 / greatest(count(*), 1))::int as most from chosen),
  slices as (
    select true as is_today, ${toMs}::bigint - (n + 1) * ${hourMs}::bigint as from_ms, ${toMs}::bigint - n * ${hourMs}::bigint as to_ms
    from generate_series(0, 23) n
    union all select false, ${toMs}::bigint - (n + 1) * ${6 * hourMs}::bigint, ${toMs}::bigint - n * ${6 * hourMs}::bigint
    from generate_series(4, 31) n),
  sample as materialized (
    select s.is_today, c.key from slices s cross join chosen r cross join bound b cross join lateral (
      select c.key from audio_clips c
      where c.device_id = r.key and c.start_ms >= s.from_ms and c.start_ms < s.to_ms
      order by c.start_ms desc, c.key desc limit b.most) c)`;

/** Rows of `from` (with `is_today` and a name) that occur clearly more often than before, compared by the totals. */
const risen = (db: Db, columns: Fragment, from: Fragment, totals: Fragment, most: number): Fragment => db`
  select ${columns}, n.today::int as "clipCount", round(u.usual::numeric, 1)::float8 as "usualClipCount",
    (n.today - u.usual) / sqrt(u.usual + 1) as distinctness
  from (
    select ${columns}, count(*) filter (where is_today) as today, count(*) filter (where not is_today) as earlier
    from ${from} group by ${columns}) n
  cross join ${totals} t
  cross join lateral (select n.earlier * t.today::float8 / greatest(t.earlier, 1) as usual) u
  where t.earlier >= ${leastEarlier} and n.today >= ${leastClips} and n.today >= 2 * u.usual + 1
  order by distinctness desc, ${columns} limit ${most}`;

export async function findLevels(db: Db, caller: Caller, toMs: number): Promise<DayLevels> {
  const [row] = await db<DayLevels[]>`
    with ${readable(db, caller)}, ${sample(db, toMs)},
    texts as materialized (
      select s.is_today, left(t.text, ${comparedCharacters}) as text from sample s join caption_search t on t.audio_clip_id = s.key),
    said as (
      select x.is_today, w.word from texts x cross join lateral (
        -- The last word may be cut.
        select distinct word from string_to_table(regexp_replace(x.text, '[^ ]*$', ''), ' ') word
        where length(word) >= 3 and word !~ '^[0-9]+$') w),
    marked as (
      select distinct s.is_today, s.key, t.tag_id as "tagID", n.tag_name as "tagName"
      from sample s join audio_clip_tags t on t.audio_clip_id = s.key join tags n on n.key = t.tag_id),
    clip_totals as (
      select count(*) filter (where is_today) as today, count(*) filter (where not is_today) as earlier from sample),
    text_totals as (
      select count(*) filter (where is_today) as today, count(*) filter (where not is_today) as earlier from texts)
    select c.today as "sampledClipCount", c.earlier as "earlierClipCount",
      t.today as "sampledTranscriptCount", t.earlier as "earlierTranscriptCount",
      coalesce((select json_agg(w) from (${risen(db, db`word`, db`said`, db`text_totals`, mostWords)}) w), '[]') as words,
      coalesce((select json_agg(w) from (${risen(db, db`"tagID", "tagName"`, db`marked`, db`clip_totals`, mostTags)}) w), '[]') as tags
    from clip_totals c cross join text_totals t`;
  return requireValue(row, 'the counts of a day');
}
