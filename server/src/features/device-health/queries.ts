import type { DeviceHealth, DeviceHealthRow, DeviceHealthValues } from '@earshot/contract/device-health';
import type { HealthVariable } from '@earshot/contract/health-variables';
import { defaultCount, largestCount } from '@earshot/contract/values';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { deviceContact, isDeviceOnline, storeMeasuredPosition } from '../device/public.ts';
import type { HealthFacts } from './read-values.ts';

const healthColumns = (db: Db): Fragment => db`
  h.key, h.device_id as "deviceID", h.health_date as "healthDate", h.health_json as "healthJSON",
  h.creation_date as "creationDate"`;

const valueColumns = (db: Db): Fragment => db`
  battery_percent, battery_voltage, battery_status, cpu_temp, gpu_temp, cpu_percent, load_average, disk_used_percent,
  disk_free_bytes, signal_dbm, link_quality, access_point_name, latitude, longitude, accuracy`;

const valuesOf = (db: Db, { numbers, texts, position }: HealthFacts): Fragment => db`
  ${numbers.batteryPercent ?? null}::float8, ${numbers.batteryVoltage ?? null}::float8,
  ${texts.batteryStatus ?? null}::text, ${numbers.cpuTemp ?? null}::float8, ${numbers.gpuTemp ?? null}::float8,
  ${numbers.cpuPercent ?? null}::float8, ${numbers.loadAverage ?? null}::float8,
  ${numbers.diskUsedPercent ?? null}::float8, ${numbers.diskFreeBytes ?? null}::float8,
  ${numbers.signalStrength_dBm ?? null}::float8, ${texts.linkQuality ?? null}::text,
  ${texts.accessPointName ?? null}::text, ${position?.latitude ?? null}::float8, ${position?.longitude ?? null}::float8,
  ${position?.accuracy ?? null}::float8`;

/** The rest of a statement that wrote reports as `written`: stores their positions and returns their keys. */
const withPosition = (db: Db): Fragment => db`
  placed as (${storeMeasuredPosition(
    db,
    'health',
    db`select w.device_id, w.latitude, w.longitude, w.accuracy, w.health_date as position_date from written w
      where w.latitude is not null`,
  )})
  select key from written`;

export interface StoredReport {
  readonly text: string;
  readonly facts: HealthFacts;
}

/** Undefined if the device was removed. */
export async function insertHealth(db: Db, deviceID: number, report: StoredReport): Promise<number | undefined> {
  const { text, facts } = report;
  const [row] = await db<{ key: number }[]>`
    with device as (select key from devices where key = ${deviceID} for key share),
    written as (
      insert into device_health (device_id, health_date, health_json, ${valueColumns(db)})
      select device.key, coalesce(${facts.date ?? null}::timestamptz, now()), ${text}, ${valuesOf(db, facts)} from device
      returning *),
    ${withPosition(db)}`;
  return row?.key;
}

/** The statement locks the device before the report, as its removal does. `chosen` is a query for one key. */
async function replaceHealth(db: Db, device: Fragment, chosen: Fragment, otherDate: Fragment, report: StoredReport) {
  const { text, facts } = report;
  const [row] = await db<{ key: number }[]>`
    with device as (${device}),
    written as (
      update device_health h set health_date = coalesce(${facts.date ?? null}::timestamptz, ${otherDate}),
        health_json = ${text}, (${valueColumns(db)}) = (select ${valuesOf(db, facts)})
      from device cross join lateral (${chosen}) chosen where h.key = chosen.key and h.device_id = device.key
      returning h.*),
    ${withPosition(db)}`;
  return row?.key;
}

/** Undefined if the device has no report. */
export const replaceLatestHealth = (db: Db, deviceID: number, report: StoredReport): Promise<number | undefined> =>
  replaceHealth(
    db,
    db`select key from devices where key = ${deviceID} for key share`,
    db`select l.key from device_health l where l.device_id = device.key order by l.health_date desc, l.key desc limit 1`,
    db`now()`,
    report,
  );

/** Undefined if the caller may not write to the device of the report. */
export const replaceHealthByKey = (
  db: Db,
  caller: Caller,
  healthID: number,
  report: StoredReport,
): Promise<number | undefined> =>
  replaceHealth(
    db,
    db`select d.key from devices d join device_health own on own.device_id = d.key
      where own.key = ${healthID} and ${deviceRight(db, caller, 'write')} for key share of d`,
    db`select ${healthID}::bigint as key`,
    db`h.health_date`,
    report,
  );

/** Locks the device, so that two first reports do not both become the latest one. */
export const lockDeviceOfReport = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from devices where key = ${deviceID} for no key update`;

export async function findHealth(db: Db, caller: Caller, healthID: number): Promise<DeviceHealth | undefined> {
  const [row] = await db<DeviceHealth[]>`
    select ${healthColumns(db)} from device_health h join devices d on d.key = h.device_id
    where h.key = ${healthID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** The newest report of the device `d` as `h`. */
const latestReport = (db: Db): Fragment => db`
  left join lateral (
    select * from device_health l where l.device_id = d.key order by l.health_date desc, l.key desc limit 1) h on true`;

export async function findLatestHealth(db: Db, caller: Caller, deviceID: number): Promise<DeviceHealth | undefined> {
  const [row] = await db<DeviceHealth[]>`
    select h.key, d.key as "deviceID", h.health_date as "healthDate", h.health_json as "healthJSON",
      h.creation_date as "creationDate"
    from devices d ${latestReport(db)}
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

export async function findHealthValues(
  db: Db,
  caller: Caller,
  deviceID: number,
): Promise<DeviceHealthValues | undefined> {
  const [row] = await db<DeviceHealthValues[]>`
    select d.key as "deviceID", h.health_date as "healthDate", h.battery_status as "batteryStatus",
      h.battery_percent as "batteryPercent", h.battery_voltage as "batteryVoltage", h.cpu_temp as "cpuTemp",
      h.gpu_temp as "gpuTemp", h.cpu_percent as "cpuPercent", h.load_average as "loadAverage",
      h.disk_used_percent as "diskUsedPercent", h.disk_free_bytes as "diskFreeBytes",
      h.signal_dbm as "signalStrength_dBm", h.link_quality as "linkQuality", h.access_point_name as "accessPointName",
      h.latitude, h.longitude, h.accuracy
    from devices d ${latestReport(db)} where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

export interface HealthFilter {
  readonly deviceID: number;
  readonly startEpoch: number | undefined;
  readonly endEpoch: number | undefined;
  readonly count: number | undefined;
  readonly ascending: boolean;
}

export async function selectHealth(db: Db, caller: Caller, filter: HealthFilter): Promise<DeviceHealth[]> {
  const { deviceID, startEpoch, endEpoch, count, ascending } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  return db<DeviceHealth[]>`
    select ${healthColumns(db)} from devices d join device_health h on h.device_id = d.key
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}
      ${startEpoch === undefined ? db`` : db`and h.health_date >= to_timestamp(${startEpoch})`}
      ${endEpoch === undefined ? db`` : db`and h.health_date < to_timestamp(${endEpoch})`}
    order by h.health_date ${direction}, h.key ${direction} limit ${count || defaultCount}`;
}

export async function selectHealthRows(
  db: Db,
  caller: Caller,
  { onlineOnly, offset }: { onlineOnly: boolean; offset: number },
): Promise<DeviceHealthRow[]> {
  return db<DeviceHealthRow[]>`
    select page.key, page.device_name as "deviceName", page.device_serial as "serialNumber",
      h.battery_status as "batteryStatus", h.battery_percent as "batteryPercent",
      h.battery_voltage as "batteryVoltage", h.cpu_temp as "cpuTemp", h.gpu_temp as "gpuTemp",
      h.cpu_percent::text as "cpuPercent", h.access_point_name as "accessPointName", h.link_quality as "linkQuality",
      h.signal_dbm as "signalStrength_dBm", case when page.online then 'online' else 'offline' end as "deviceStatus",
      (select a.version from agents a where a.device_id = page.key and a.version is not null
        order by a.last_heard_from_date desc nulls last limit 1) as "softwareVersion", page.heard as "lastHeardFromDate"
    from (
      select d.key, d.device_name, d.device_serial, d.creation_date, contact.heard, ${isDeviceOnline(db)} as online
      from devices d cross join ${deviceContact(db)}
      where ${deviceRight(db, caller, 'read')} ${onlineOnly ? db`and ${isDeviceOnline(db)}` : db``}
      order by d.creation_date desc, d.key desc limit ${largestCount} offset ${offset}) page
    left join lateral (
      select * from device_health l where l.device_id = page.key order by l.health_date desc, l.key desc limit 1) h on true
    order by page.creation_date desc, page.key desc`;
}

const chartColumns: Readonly<Record<HealthVariable, string>> = {
  batteryPercent: 'battery_percent',
  batteryVoltage: 'battery_voltage',
  cpuTemp: 'cpu_temp',
  gpuTemp: 'gpu_temp',
  cpuPercent: 'cpu_percent',
  loadAverage: 'load_average',
  diskUsedPercent: 'disk_used_percent',
  diskFreeBytes: 'disk_free_bytes',
  signalStrength_dBm: 'signal_dbm',
};

/** So that a chart of a device that reports often reads a bounded number of rows. */
const mostOfPart = 60;

export interface ChartRange {
  readonly startEpoch: number;
  readonly endEpoch: number;
  readonly parts: number;
}

export interface ChartPoint {
  readonly time: number;
  readonly value: number;
}

export async function selectChart(
  db: Db,
  deviceID: number,
  variable: HealthVariable,
  { startEpoch, endEpoch, parts }: ChartRange,
): Promise<ChartPoint[]> {
  const seconds = (endEpoch - startEpoch) / parts;
  return db<ChartPoint[]>`
    select floor(avg(extract(epoch from r.health_date)))::bigint as time, avg(r.value) as value
    from generate_series(0, ${parts}::int - 1) as part
    cross join lateral (
      select h.health_date, h.${db(chartColumns[variable])} as value from device_health h
      where h.device_id = ${deviceID}
        and h.health_date >= to_timestamp(${startEpoch}::float8 + part * ${seconds}::float8)
        and h.health_date < to_timestamp(${startEpoch}::float8 + (part + 1) * ${seconds}::float8)
      order by h.health_date limit ${mostOfPart}) r
    where r.value is not null group by part order by part`;
}

/**
 * Removes old reports and returns their number. Skips reports that are being changed, because every node sweeps. The
 * keys are an array, because a join may read the whole table.
 */
export async function removeOldHealth(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    with due as (
      select h.key from devices d cross join lateral (
        select o.key from device_health o
        where o.device_id = d.key and o.health_date < now() - make_interval(days => ${days})
        order by o.health_date limit ${most}) old
      join device_health h on h.key = old.key limit ${most} for update of h skip locked)
    delete from device_health where key = any(array(select key from due)) returning 1`;
  return rows.length;
}

export const lockHealthOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from device_health where device_id = ${deviceID} order by key for update`;
