import type { CaptionSearchFacets } from '@earshot/contract/caption-search';
import { longestFacet, mostDays } from '@earshot/contract/caption-search';
import { invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

export type Facets = Pick<CaptionSearchFacets, 'deviceList' | 'dayList' | 'tagList'>;

/** Counts these clips by device, by day and by tag. */
export async function countFacets(db: Db, caller: Caller, keys: readonly number[], timeZone: string): Promise<Facets> {
  if (keys.length === 0) return { deviceList: [], dayList: [], tagList: [] };
  const [row] = await db<[Facets]>`
    with found as materialized (
      select s.audio_clip_id, s.device_id, s.start_ms from unnest(${keys as number[]}::bigint[]) n (key)
      cross join lateral (select * from caption_search s where s.audio_clip_id = n.key limit 1) s),
    of_devices as materialized (
      select f.device_id, d.device_name, f.count
      from (select device_id, count(*) from found group by device_id) f
      cross join lateral (select * from devices d where d.key = f.device_id limit 1) d
      where ${deviceRight(db, caller, 'read')}),
    readable as (select f.* from found f join of_devices d on d.device_id = f.device_id)
    select (
      select coalesce(json_agg(json_build_object('deviceID', d.device_id, 'deviceName', d.device_name, 'count', d.count)
        order by d.count desc, d.device_id), '[]')
      from (select * from of_devices order by count desc, device_id limit ${longestFacet}) d) as "deviceList", (
      select coalesce(json_agg(json_build_object('day', d.day, 'count', d.count) order by d.day desc), '[]')
      from (
        select to_char(to_timestamp(start_ms / 1000) at time zone ${timeZone}, 'YYYY-MM-DD') as day, count(*)
        from readable group by 1 order by 1 desc limit ${mostDays}) d) as "dayList", (
      select coalesce(json_agg(json_build_object('tagID', t.tag_id, 'tagName', g.tag_name, 'count', t.count)
        order by t.count desc, t.tag_id), '[]')
      from (
        select a.tag_id, count(*) from readable f cross join lateral (
          select distinct a.tag_id from audio_clip_tags a where a.audio_clip_id = f.audio_clip_id offset 0) a
        group by a.tag_id order by count(*) desc, a.tag_id limit ${longestFacet}) t
      cross join lateral (select * from tags g where g.key = t.tag_id limit 1) g) as "tagList"`.catch(explainZone);
  return row;
}

/** The database may know fewer time zones than Node. */
function explainZone(error: unknown): never {
  if ((error as { code?: string }).code === '22023') throw invalidField('timeZone', 'is not known to the database');
  throw error;
}
