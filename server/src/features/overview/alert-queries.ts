import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Alert, AlertKind } from '@earshot/contract/overview';
import {
  darkAfterMinutes,
  fullDiskPercent,
  lowBatteryPercent,
  mostAlertRecords,
  silentAfterHours,
} from '@earshot/contract/overview';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { deviceContact } from '../device/public.ts';
import { commonResult, numbersInResult } from './common-result.ts';

/** Part of a statement: the devices that the caller may read, and whether the caller may change them. */
const readable = (db: Db, caller: Caller, among: Fragment): Fragment => db`
  readable as materialized (
    select d.key, d.device_name, d.creation_date, ${deviceRight(db, caller, 'write')} as may_change
    from devices d where ${deviceRight(db, caller, 'read')} ${among})`;

/** Failed events are looked for among those of this many days; those that failed in the last day count. */
const eventDays = 7;
const mostGroups = 100;
/** Of a long result only its start is compared and shown. */
const resultCharacters = 500;

/** Of the different results of one cause so many are compared, to find the numbers that differ. */
const comparedResults = 20;

type FoundFailures = Omit<Alert, 'result'> & { readonly results: readonly string[] | null };

/**
 * Events of the same type that failed in the same way, the newest group first. Results that differ only in numbers have
 * the same cause.
 */
export async function findFailedEvents(db: Db, caller: Caller): Promise<Alert[]> {
  const groups = await selectFailures(db, caller);
  return groups.map(({ results, ...alert }) => ({ ...alert, ...(results ? { result: commonResult(results) } : {}) }));
}

function selectFailures(db: Db, caller: Caller): Promise<FoundFailures[]> {
  const failed = db`e.event_status in (5, 6) and e.creation_date > now() - make_interval(days => ${eventDays})
    order by e.creation_date desc, e.key desc limit ${mostAlertRecords}`;
  const isEvery = caller.role === 'admin' && caller.deviceID === undefined;
  const events = isEvery
    ? db`(select * from events e where ${failed}) e`
    : db`readable d cross join lateral (select * from events e where e.device_id = d.key and ${failed}) e`;
  return db<FoundFailures[]>`
    with ${readable(db, caller, db``)},
    found as (
      select e.key, e.device_id, e.event_type_id, e.event_status, left(e.result, ${resultCharacters}) as result,
        regexp_replace(left(e.result, ${resultCharacters}), ${numbersInResult}, '#', 'g') as cause,
        coalesce(
          (select t.transition_date from event_transitions t where t.event_id = e.key order by t.key desc limit 1),
          e.creation_date) as failed_date
      from ${events} order by e.creation_date desc, e.key desc limit ${mostAlertRecords})
    select 'failedEvents' as alert, f.event_type_id as "eventTypeID", t.event_type_name as "eventType",
      f.event_status as "eventStatus",
      (array_agg(distinct f.result) filter (where f.result is not null))[1:${comparedResults}] as results, array_agg(f.key order by f.key desc) as keys,
      array_agg(distinct f.device_id) as "deviceIDs", (array_agg(distinct d.device_name))[1:3] as "deviceNames",
      min(f.failed_date) as "firstDate", max(f.failed_date) as "lastDate",
      (count(*) filter (where a.record_key is null))::int as "newCount", bool_or(d.may_change) as "mayChange"
    from found f join readable d on d.key = f.device_id join event_types t on t.key = f.event_type_id
    left join acknowledged_alerts a on a.alert = 'failedEvents' and a.record_key = f.key
    where f.failed_date > now() - interval '1 day'
    group by f.event_type_id, t.event_type_name, f.event_status, f.cause
    order by max(f.failed_date) desc limit ${mostGroups}`;
}

/** A record that has an alert. */
export interface AlertRecord {
  readonly alert: AlertKind;
  readonly key: number;
  readonly deviceID: number;
  readonly deviceName: string;
  readonly dateMs: number;
  readonly isAcknowledged: boolean;
  readonly mayChange: boolean;
}

/** Clips that are looked at, about: the newest of each device. */
const watchedClips = 50_000;
const leastWatched = 20;

const failedUpload = (db: Db): Fragment => db`c.audio_clip_status = ${audioClipStatus.uploadFailed}`;
const uploadSince = (db: Db): Fragment => db`coalesce(c.last_modified_date, c.creation_date)`;

export async function findFailedUploads(db: Db, caller: Caller): Promise<AlertRecord[]> {
  return db<AlertRecord[]>`
    with ${readable(db, caller, db``)},
    bound as (select greatest(${leastWatched}, ${watchedClips} / greatest(count(*), 1))::int as most from readable)
    select 'failedUploads' as alert, c.key, d.key as "deviceID", d.device_name as "deviceName",
      c.start_ms as "dateMs", a.record_key is not null as "isAcknowledged", d.may_change as "mayChange"
    from readable d cross join bound b cross join lateral (
      select c.key, c.start_ms, c.audio_clip_status, c.last_modified_date, c.creation_date from audio_clips c
      where c.device_id = d.key and c.start_ms > extract(epoch from now() - interval '1 day')::bigint * 1000
      order by c.start_ms desc, c.key desc limit b.most) c
    left join acknowledged_alerts a
      on a.alert = 'failedUploads' and a.record_key = c.key and a.since = ${uploadSince(db)}
    where ${failedUpload(db)} order by c.start_ms desc, c.key desc limit ${mostAlertRecords}`;
}

/**
 * The devices of `readable` that have an alert, as a query for `alert`, `key`, `date`, and `since` as in
 * acknowledged_alerts. A device that went offline three times within a day is online now and then.
 */
const deviceAlerts = (db: Db): Fragment => db`
  select 'darkDevices' as alert, d.key, contact.heard as date, contact.heard as since
  from readable d cross join ${deviceContact(db)}
  where contact.heard < now() - make_interval(mins => ${darkAfterMinutes})
    and (contact.heard < now() - make_interval(hours => ${silentAfterHours}) or (
      select count(*) from (
        select 1 from online_times t where t.device_id = d.key and t.until > now() - interval '1 day' limit 3) t) < 3)
  union all select 'neverConnected', d.key, d.creation_date, d.creation_date
  from readable d cross join ${deviceContact(db)}
  where contact.heard is null and d.creation_date < now() - interval '1 day'
    and not exists (select 1 from audio_clips c where c.device_id = d.key)
  union all select v.alert, d.key, h.health_date, null
  from readable d cross join lateral (
    select h.health_date, h.battery_percent, h.disk_used_percent from device_health h
    where h.device_id = d.key and h.health_date > now() - interval '1 day'
    order by h.health_date desc, h.key desc limit 1) h
  cross join lateral (values
    ('lowBattery', h.battery_percent < ${lowBatteryPercent}), ('fullDisk', h.disk_used_percent > ${fullDiskPercent}))
    v (alert, is_so)
  where v.is_so
  union all select 'differentSettings', d.key, s.since, s.since
  from readable d cross join lateral (
    select max(coalesce(s.last_modified_date, s.creation_date)) as since from device_settings s
    where s.device_id = d.key and s.wanted_value is not null and s.wanted_value is distinct from s.reported_value) s
  where s.since < now() - interval '1 hour'`;

/** Of each alert the newest. */
export async function findDeviceAlerts(db: Db, caller: Caller): Promise<AlertRecord[]> {
  return db<AlertRecord[]>`
    with ${readable(db, caller, db``)},
    found as (
      select f.*, row_number() over (partition by f.alert order by f.date desc, f.key desc) as place
      from (${deviceAlerts(db)}) f)
    select f.alert, f.key, f.key as "deviceID", d.device_name as "deviceName",
      (extract(epoch from f.date) * 1000)::bigint as "dateMs", a.record_key is not null as "isAcknowledged",
      d.may_change as "mayChange"
    from found f join readable d on d.key = f.key
    left join acknowledged_alerts a on a.alert = f.alert and a.record_key = f.key
      and a.since is not distinct from f.since
      and (f.since is not null or a.acknowledged_date > now() - interval '1 day')
    where f.place <= ${mostAlertRecords} order by f.alert, f.place`;
}

/** The given records that have the alert and whose devices the caller may change, with the column `since`. */
export function changeableRecords(db: Db, caller: Caller, alert: AlertKind, keys: readonly number[]): Fragment {
  const isGiven = (column: Fragment) => db`${column} = any(${keys as number[]}::bigint[])`;
  const right = deviceRight(db, caller, 'write');
  if (alert === 'failedEvents') {
    return db`
      select e.key, e.device_id, e.creation_date as since from events e join devices d on d.key = e.device_id
      where ${isGiven(db`e.key`)} and e.event_status in (5, 6) and ${right}`;
  }
  if (alert === 'failedUploads') {
    return db`
      select c.key, c.device_id, ${uploadSince(db)} as since from audio_clips c join devices d on d.key = c.device_id
      where ${isGiven(db`c.key`)} and ${failedUpload(db)} and ${right}`;
  }
  return db`
    select f.key, f.key as device_id, f.since from (
      with ${readable(db, caller, db`and ${isGiven(db`d.key`)}`)} ${deviceAlerts(db)}) f
    join devices d on d.key = f.key where f.alert = ${alert} and ${right}`;
}
