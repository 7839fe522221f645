import type { FleetClipsRow } from '@earshot/contract/audio-clip-fleet';
import type { Db } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { collectionRight, deviceRight } from '../../../access.ts';

export interface FleetRows {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly buckets: number;
  readonly collectionID: number | undefined;
  readonly searchText: string;
  readonly offset: number;
  readonly rows: number;
  /** Clips of a device and bucket that are counted. */
  readonly limit: number;
}

interface CountedFleet {
  readonly total: number;
  readonly results: FleetClipsRow[];
}

/** Only the devices of the rows are counted: for each bucket a short walk along the index of the device. */
export async function countFleet(db: Db, caller: Caller, of: FleetRows): Promise<CountedFleet> {
  const pattern = `%${of.searchText.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const named =
    of.searchText === '' ? db`` : db`and (d.device_name ilike ${pattern} or d.device_serial ilike ${pattern})`;
  const without = of.collectionID
    ? db``
    : db`union all select null, null, d.key, d.device_name, d.time_zone from devices d
        where ${deviceRight(db, caller, 'read')} ${named} and not exists (
          select 1 from collection_items i join collections c on c.key = i.collection_id
          where i.device_id = d.key and ${collectionRight(db, caller, 'read')})`;
  const [counted] = await db<CountedFleet[]>`
    with fleet (collection_id, collection_name, device_id, device_name, time_zone) as materialized (
      select c.key, c.collection_name, d.key, d.device_name, d.time_zone
      from collections c join collection_items i on i.collection_id = c.key join devices d on d.key = i.device_id
      where ${collectionRight(db, caller, 'read')} and ${deviceRight(db, caller, 'read')} ${named}
        ${of.collectionID ? db`and c.key = ${of.collectionID}` : db``}
      ${without}),
    shown as materialized (
      select f.*, row_number() over () as place from (
        select * from fleet order by collection_name nulls last, collection_id nulls last, device_name, device_id
        offset ${of.offset} limit ${of.rows}) f),
    counts as materialized (
      select s.device_id, array_agg(n.clips order by b.number) as counts
      from (select distinct device_id from shown) s
      cross join generate_series(0, ${of.buckets - 1}::int) b (number)
      cross join lateral (
        select count(*)::int as clips from (
          select 1 from audio_clips c where c.device_id = s.device_id
            and c.start_ms >= ${of.startMs}::bigint + b.number * ${of.bucketMs}::bigint
            and c.start_ms < ${of.startMs}::bigint + (b.number + 1) * ${of.bucketMs}::bigint
          limit ${of.limit}) c) n
      group by s.device_id)
    select (select count(*)::int from fleet) as total, coalesce((
      select json_agg(json_strip_nulls(json_build_object(
        'collectionID', s.collection_id, 'collectionName', s.collection_name, 'deviceID', s.device_id,
        'deviceName', s.device_name, 'timeZone', s.time_zone, 'counts', n.counts)) order by s.place)
      from shown s join counts n on n.device_id = s.device_id), '[]') as results`;
  return requireValue(counted, 'the counts of a fleet');
}
