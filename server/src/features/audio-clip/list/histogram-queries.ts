import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../access/public.ts';
import type { ClipFilter } from './queries.ts';
import { amongDevices, firstOfDevice } from './queries.ts';

export interface CountedBuckets {
  readonly startMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
  readonly buckets: number;
  /** How many clips are counted of each device and bucket; more are estimated. */
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

/**
 * The clips that begin in each bucket, without empty buckets. If a device has more clips in a bucket than its share, their
 * number is estimated from the time that its first clips take.
 */
export async function countStarts(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  { startMs, endMs, bucketMs, buckets, share, status }: CountedBuckets,
): Promise<CountedBucket[]> {
  const bounds = { from: db`b.from_ms`, to: db`b.to_ms` };
  const fits =
    status === undefined
      ? db``
      : db`filter (where (select c.audio_clip_status from audio_clips c where c.key = p.key) = ${status})`;
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
      select count(*) as looked, count(*) ${fits} as clips, max(p.start_ms) as last_ms
      from (${firstOfDevice(db, filter, share + 1, bounds)}) p) c
    where c.clips > 0
    group by b.number order by b.number`;
}
