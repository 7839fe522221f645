import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import type { ClipFilter } from './queries.ts';
import { amongDevices, firstOfDevice } from './queries.ts';

export interface CountedBuckets {
  readonly startMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
  readonly buckets: number;
  /** How many clips are counted of each device, or of each device and bucket. */
  readonly share: number;
  readonly status: number | undefined;
}

interface CountedBucket {
  readonly number: number;
  readonly count: number;
  readonly isEstimated: boolean;
}

export async function countDevices(db: Db, caller: Caller, devices: readonly number[] | undefined): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from devices d where ${amongDevices(db, devices)} ${deviceRight(db, caller, 'read')}`;
  return row?.count ?? 0;
}

const fitting = (db: Db, status: number | undefined): Fragment =>
  status === undefined
    ? db``
    : db`filter (where (select c.audio_clip_status from audio_clips c where c.key = p.key) = ${status})`;

/** The clips that begin in each bucket; undefined if a device has more clips in the range than its share. */
export async function countAllStarts(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  { startMs, endMs, bucketMs, share, status }: CountedBuckets,
): Promise<CountedBucket[] | undefined> {
  const bounds = { from: db`${startMs}::bigint`, to: db`${endMs}::bigint` };
  const devices = typeof filter.devices === 'number' ? [filter.devices] : filter.devices;
  const rows = await db<(CountedBucket & { readonly most: number })[]>`
    with readable as materialized (
      select d.key from devices d where ${amongDevices(db, devices)} ${deviceRight(db, caller, 'read')}),
    counted as (
      select d.key as device_id, g.* from readable d cross join lateral (
        select (p.start_ms - ${startMs}::bigint) / ${bucketMs}::bigint as number, count(*) as looked,
          count(*) ${fitting(db, status)} as clips
        from (${firstOfDevice(db, filter, share + 1, bounds)}) p group by 1) g)
    select c.number::int as number, sum(c.clips)::bigint as count, false as "isEstimated",
      (select coalesce(max(looked), 0) from (select sum(looked) as looked from counted group by device_id) o)::bigint as most
    from counted c group by c.number order by c.number`;
  if (rows.some(({ most }) => most > share)) return undefined;
  return rows.map(({ number, count, isEstimated }) => ({ number, count, isEstimated }));
}

/**
 * The clips that begin in each bucket, without empty buckets. If a device has more clips in a bucket than its share, their
 * number is estimated from the time that its first clips take. Without `offset 0` the condition on the number of clips
 * would be checked before it is known, and the status of each clip read twice.
 */
export async function countStarts(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  { startMs, endMs, bucketMs, buckets, share, status }: CountedBuckets,
): Promise<CountedBucket[]> {
  const bounds = { from: db`b.from_ms`, to: db`b.to_ms` };
  const devices = typeof filter.devices === 'number' ? [filter.devices] : filter.devices;
  return db<CountedBucket[]>`
    with readable as materialized (
      select d.key from devices d where ${amongDevices(db, devices)} ${deviceRight(db, caller, 'read')}),
    buckets as materialized (
      select n as number, ${startMs}::bigint + n * ${bucketMs}::bigint as from_ms,
        least(${startMs}::bigint + (n + 1) * ${bucketMs}::bigint, ${endMs}::bigint) as to_ms
      from generate_series(0, ${buckets - 1}::int) n)
    select b.number, sum(case when c.looked <= ${share} then c.clips
        else round(c.clips * greatest(1, (b.to_ms - b.from_ms)::float8 / greatest(1, c.last_ms - b.from_ms))) end)::bigint
        as count,
      bool_or(c.looked > ${share}) as "isEstimated"
    from buckets b cross join readable d cross join lateral (
      select count(*) as looked, count(*) ${fitting(db, status)} as clips, max(p.start_ms) as last_ms
      from (${firstOfDevice(db, filter, share + 1, bounds)}) p offset 0) c
    where c.clips > 0
    group by b.number order by b.number`;
}
