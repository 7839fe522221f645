import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { contains, mayContain } from '../../caption-index/public.ts';
import type { PlacedClip } from '../core/windows.ts';
import type { Driver } from './driver.ts';

/** A stretch of time: `fromMs` is inside, `toMs` is not. */
export interface StartRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Plans each statement for its values, without sequential scans. */
export const setTrialPlanner = (tx: Db) => tx`
  select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('work_mem', '64MB', true)`;

type Devices = readonly number[] | undefined;

const isOf = (db: Db, device: Fragment, devices: Devices): Fragment =>
  devices ? db`${device} = any(${devices as number[]}::bigint[])` : db`true`;

const isIn = (db: Db, start: Fragment, { fromMs, toMs }: StartRange): Fragment =>
  db`${start} >= ${fromMs}::bigint and ${start} < ${toMs}::bigint`;

type WordDriver = Extract<Driver, { readonly kind: 'words' }>;

const matchesWords = (db: Db, { alternatives }: WordDriver): Fragment =>
  alternatives
    .map((terms) => db`(${contains(db, db`s.text`, terms)})`)
    .reduce((before, next) => db`${before} or ${next}`);

type MeasuredDriver = Extract<Driver, { readonly kind: 'measured' }>;

/** A little more than the ranges, because rounding may differ from that of the rule, which judges what is found. */
const isMeasured = (db: Db, { alternatives }: MeasuredDriver): Fragment =>
  alternatives
    .map(({ kind, range: { min, max } }) => {
      const value = {
        speechSeconds: db`m.speech_ms`,
        lengthSeconds: db`(c.end_ms - c.start_ms)`,
        levelDb: db`m.level_db`,
        clippedPercent: db`m.clipped_percent`,
      }[kind];
      const [unit, more] = kind.endsWith('Seconds') ? [1_000, 1] : [1, 1e-6];
      const least = min === undefined ? db`true` : db`${value} >= ${min * unit - more}::double precision`;
      const greatest = max === undefined ? db`true` : db`${value} <= ${max * unit + more}::double precision`;
      return db`(${least} and ${greatest})`;
    })
    .reduce((before, next) => db`${before} or ${next}`);

/** All clips of the stretch with such a value, by the indexes of values; undefined if more than so many clips have one. */
export async function findByValues(
  tx: Db,
  driver: MeasuredDriver,
  devices: Devices,
  stretch: StartRange,
  most: number,
): Promise<PlacedClip[] | undefined> {
  if (driver.alternatives.some(({ kind }) => kind === 'lengthSeconds')) return undefined;
  const rows = await tx<(PlacedClip & { readonly isRare: boolean })[]>`
    with m as materialized (
      select m.audio_clip_id from clip_facts m where ${isMeasured(tx, driver)} limit ${most + 1}),
    counted as (select count(*) <= ${most} as "isRare" from m)
    select counted."isRare", f.key, f."startMs" from counted left join lateral (
      select c.key, c.start_ms as "startMs" from m
      cross join lateral (select * from audio_clips c where c.key = m.audio_clip_id limit 1) c
      where counted."isRare" and ${isIn(tx, tx`c.start_ms`, stretch)} and ${isOf(tx, tx`c.device_id`, devices)}) f on true
    order by f."startMs" desc, f.key desc`;
  if (!rows[0]?.isRare) return undefined;
  return rows.filter(({ key }) => key !== null);
}

/** The newest of the clips that the driver finds in the stretch, at most so many. */
export async function findClipsBy(
  tx: Db,
  driver: Driver,
  devices: Devices,
  stretch: StartRange,
  most: number,
): Promise<PlacedClip[]> {
  return tx<PlacedClip[]>`
    select f.key, f."startMs" from (${found(tx, driver, devices, stretch, most)}) f
    order by f."startMs" desc, f.key desc limit ${most}`;
}

function found(tx: Db, driver: Driver, devices: Devices, stretch: StartRange, most: number): Fragment {
  switch (driver.kind) {
    case 'words':
      return tx`
        select s.audio_clip_id as key, s.start_ms as "startMs" from caption_search s
        where ${isIn(tx, tx`s.start_ms`, stretch)} and ${isOf(tx, tx`s.device_id`, devices)}
          and (${matchesWords(tx, driver)})
        order by s.start_ms desc, s.audio_clip_id desc limit ${most}`;
    case 'tags':
      return tx`
        select distinct t.audio_clip_id as key, t.clip_start_ms as "startMs"
        from devices d cross join lateral unnest(array(
          select g.key from tags g where lower(g.tag_name) = any(${driver.names as string[]}::text[]))) n (tag_id)
        cross join lateral (
          select distinct t.audio_clip_id, t.clip_start_ms from audio_clip_tags t
          where t.device_id = d.key and t.tag_id = n.tag_id and ${isIn(tx, tx`t.clip_start_ms`, stretch)}
          order by t.clip_start_ms desc, t.audio_clip_id desc limit ${most}) t
        where ${isOf(tx, tx`d.key`, devices)}`;
    case 'talkgroups':
      return tx`
        select r.audio_clip_id as key, r.clip_start_ms as "startMs"
        from devices d cross join unnest(${driver.talkgroups as number[]}::bigint[]) n (talkgroup)
        cross join lateral (
          select r.audio_clip_id, r.clip_start_ms from radio_calls r
          where r.device_id = d.key and r.talkgroup = n.talkgroup and ${isIn(tx, tx`r.clip_start_ms`, stretch)}
          order by r.clip_start_ms desc, r.audio_clip_id desc limit ${most}) r
        where ${isOf(tx, tx`d.key`, devices)}`;
    case 'measured':
      return tx`
        select c.key, c.start_ms as "startMs" from devices d cross join lateral (
          select c.key, c.start_ms from audio_clips c left join clip_facts m on m.audio_clip_id = c.key
          where c.device_id = d.key and ${isIn(tx, tx`c.start_ms`, stretch)} and (${isMeasured(tx, driver)})
          order by c.start_ms desc, c.key desc limit ${most}) c
        where ${isOf(tx, tx`d.key`, devices)}`;
    case 'clips':
      return tx`
        select c.key, c.start_ms as "startMs" from devices d cross join lateral (
          select c.key, c.start_ms from audio_clips c
          where c.device_id = d.key and ${isIn(tx, tx`c.start_ms`, stretch)}
          order by c.start_ms desc, c.key desc limit ${most}) c
        where ${isOf(tx, tx`d.key`, devices)}`;
  }
}

/** All clips of the stretch with the words, by the index of grams: for words that are rare. */
export async function findByGrams(
  tx: Db,
  driver: WordDriver,
  devices: Devices,
  stretch: StartRange,
  most: number,
): Promise<PlacedClip[]> {
  const some = driver.alternatives
    .map((terms) => tx`(${mayContain(tx, tx`s.grams`, terms)})`)
    .reduce((before, next) => tx`${before} or ${next}`);
  return tx<PlacedClip[]>`
    select s.audio_clip_id as key, s.start_ms as "startMs"
    from (select * from caption_search s where ${some} offset 0) s
    where ${isIn(tx, tx`s.start_ms`, stretch)} and ${isOf(tx, tx`s.device_id`, devices)} and (${matchesWords(tx, driver)})
    order by s.start_ms desc, s.audio_clip_id desc limit ${most}`;
}

/** The start of the caption after which so many newer ones follow in the stretch; undefined if there are fewer. */
export async function findEdge(tx: Db, { fromMs, toMs }: StartRange, captions: number): Promise<number | undefined> {
  const [row] = await tx<{ startMs: number }[]>`
    select s.start_ms as "startMs" from caption_search s
    where s.start_ms >= ${fromMs}::bigint and s.start_ms < ${toMs}::bigint
    order by s.start_ms desc offset ${captions} limit 1`;
  return row?.startMs;
}

/** The start of the newest clip of these devices before this time. */
export async function findNewestStart(tx: Db, devices: Devices, beforeMs: number): Promise<number | undefined> {
  const [row] = await tx<{ startMs: number | null }[]>`
    select max(c.start_ms) as "startMs" from devices d cross join lateral (
      select c.start_ms from audio_clips c where c.device_id = d.key and c.start_ms < ${beforeMs}::bigint
      order by c.start_ms desc limit 1) c
    where ${isOf(tx, tx`d.key`, devices)}`;
  return row?.startMs ?? undefined;
}
