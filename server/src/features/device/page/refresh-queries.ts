import { mostRowsCounted } from '@earshot/contract/sorted-page';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { deviceContact } from '../presence-queries.ts';
import { onlineContact } from './queries.ts';

/*
 * Summaries are computed again by one node at a time: another one could write an older value after a newer one. A change
 * that commits while a summary is being computed has its own note.
 */

const summaryLock = 0x65_61_73_75;

export async function tryLockSummaries(tx: Db): Promise<boolean> {
  const [row] = await tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(${summaryLock}) as "isFree"`;
  return row?.isFree ?? false;
}

export interface NotedDevice {
  readonly deviceID: number;
  readonly arrivalMs: number | null;
}

/** Removes the oldest notes and returns their devices. */
export async function takeNotes(tx: Db, most: number): Promise<NotedDevice[]> {
  return tx<NotedDevice[]>`
    with taken as (
      delete from devices_to_summarise where key = any(array(
        select key from devices_to_summarise order by key limit ${most}))
      returning device_id, arrival_ms)
    select device_id as "deviceID", max(arrival_ms) as "arrivalMs" from taken group by device_id order by device_id`;
}

/** Notes devices whose day has ended. */
export async function noteEndedDays(tx: Db, most: number): Promise<void> {
  await tx`
    insert into devices_to_summarise (device_id)
    select device_id from device_summaries where clips_today > 0 and day_end <= now() order by day_end limit ${most}`;
}

/** The latest health report of the device `d`. Its time is unknown if the report did not tell it. */
const latestReport = (db: Db): Fragment => db`
  lateral (
    select l.battery_percent, l.disk_used_percent, case when l.health_date <> l.creation_date
      then round(extract(epoch from l.health_date - l.creation_date) * 1000)::bigint end as clock_error_ms
    from device_health l where l.device_id = d.key order by l.health_date desc, l.key desc limit 1) h`;

/** The day that it is in the time zone of the device `d`. */
const day = (db: Db): Fragment => db`
  lateral (
    select date_trunc('day', now() at time zone d.time_zone) at time zone d.time_zone as since,
      (date_trunc('day', now() at time zone d.time_zone) + interval '1 day') at time zone d.time_zone as until) day`;

const version = (db: Db): Fragment => db`
  (select a.version from agents a where a.device_id = d.key and a.version is not null
    order by a.last_heard_from_date desc nulls last, a.key limit 1)`;

/** Writes the summaries that differ. */
export async function summarise(tx: Db, noted: readonly NotedDevice[]): Promise<void> {
  const keys = noted.map(({ deviceID }) => deviceID);
  const arrivals = noted.map(({ arrivalMs }) => arrivalMs);
  await tx`
    with noted as materialized (
      select * from unnest(${keys}::bigint[], ${arrivals}::bigint[]) as n (device_id, arrival_ms)),
    found as materialized (
      select d.key, n.arrival_ms, newest.start_ms as sound_ms, newest.creation_ms, day.until as day_end,
        case when o.device_id is not null then ${onlineContact}
          else (extract(epoch from contact.heard) * 1000)::bigint end as contact_ms,
        (select count(*)::int from (
          select 1 from audio_clips c
          where c.device_id = d.key and c.start_ms >= (extract(epoch from day.since) * 1000)::bigint
            and c.start_ms < (extract(epoch from day.until) * 1000)::bigint limit ${mostRowsCounted}) c) as clips_today,
        h.battery_percent, h.disk_used_percent, h.clock_error_ms, ${version(tx)} as software_version
      from noted n join devices d on d.key = n.device_id
      cross join ${deviceContact(tx)} cross join ${day(tx)}
      left join online_devices o on o.device_id = d.key
      left join lateral (
        select c.start_ms, (extract(epoch from c.creation_date) * 1000)::bigint as creation_ms from audio_clips c
        where c.device_id = d.key order by c.start_ms desc, c.key desc limit 1) newest on true
      left join ${latestReport(tx)} on true)
    update device_summaries s set contact_ms = f.contact_ms, sound_ms = f.sound_ms, clips_today = f.clips_today,
      arrival_ms = greatest(s.arrival_ms, f.arrival_ms, f.creation_ms), day_end = f.day_end,
      battery_percent = f.battery_percent, disk_used_percent = f.disk_used_percent,
      clock_error_ms = f.clock_error_ms, software_version = f.software_version
    from found f
    where s.device_id = f.key and (
      (s.contact_ms, s.sound_ms, s.clips_today, s.day_end, s.battery_percent, s.disk_used_percent, s.clock_error_ms,
        s.software_version) is distinct from (
        f.contact_ms, f.sound_ms, f.clips_today, f.day_end, f.battery_percent, f.disk_used_percent, f.clock_error_ms,
        f.software_version)
      or greatest(f.arrival_ms, f.creation_ms) > coalesce(s.arrival_ms, 0))`;
}
