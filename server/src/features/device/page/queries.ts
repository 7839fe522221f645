import type { DevicePageFilter, DeviceRow, DeviceSort, DeviceStateCount } from '@earshot/contract/device-page';
import { deviceSorts, mostNamedCollections, sendsWithinHours } from '@earshot/contract/device-page';
import { largestInteger } from '@earshot/contract/values';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SortValue } from '../../../platform/sorted-page.ts';
import type { DeclaredTable, PlacedKey } from '../../../platform/table.ts';
import { containsText } from '../../../platform/table.ts';
import { collectionRight, deviceRight, isPossibleDevice, possibleDevices } from '../../../access.ts';
import { deviceContact, onlineSeconds } from '../presence-queries.ts';

/** `contact_ms` of an online device. */
export const onlineContact = largestInteger;

const nowMs = (db: Db): Fragment => db`(extract(epoch from now()) * 1000)::bigint`;

/** The state of the device with the summary `s`; see DeviceStateName of the contract. */
export const deviceState = (db: Db): Fragment => db`
  case when s.contact_ms = ${onlineContact} then 'online'
    when s.arrival_ms > ${nowMs(db)} - ${sendsWithinHours * 3_600_000}::bigint
      and s.arrival_ms > coalesce(s.contact_ms, 0) + ${onlineSeconds * 1_000}::bigint then 'sendsRecordings'
    when coalesce(s.contact_ms, s.arrival_ms, s.sound_ms) is null then 'neverHeard'
    else 'silent' end`;

const deviceSortValues = (db: Db): Readonly<Record<DeviceSort, SortValue>> => ({
  deviceName: { value: db`lower(d.device_name) collate "C"`, kind: 'text', isAlwaysKnown: true },
  creationDate: { value: db`d.creation_date`, kind: 'date', isAlwaysKnown: true },
  lastContactDate: { value: db`s.contact_ms`, kind: 'integer' },
  lastSoundDate: { value: db`s.sound_ms`, kind: 'integer' },
  clipsToday: { value: db`s.clips_today`, kind: 'integer', isAlwaysKnown: true },
  batteryPercent: { value: db`s.battery_percent`, kind: 'number' },
  diskUsedPercent: { value: db`s.disk_used_percent`, kind: 'number' },
  clockErrorSeconds: { value: db`abs(s.clock_error_ms)`, kind: 'integer' },
  softwareVersion: { value: db`s.software_version collate "C"`, kind: 'text' },
});

/** Sorts by columns of devices take the key of the device, the others that of the summary: each is that of its index. */
const keyOf = (db: Db, sort: DeviceSort): Fragment =>
  sort === 'deviceName' || sort === 'creationDate' ? db`d.key` : db`s.device_id`;

type Conditions = Pick<
  DevicePageFilter,
  | 'searchText'
  | 'deviceIDList'
  | 'stateList'
  | 'collectionIDList'
  | 'softwareVersion'
  | 'mostBatteryPercent'
  | 'leastDiskUsedPercent'
>;

function matches(db: Db, caller: Caller, given: Conditions): Fragment {
  const { searchText, deviceIDList = [], stateList = [], collectionIDList = [], softwareVersion } = given;
  return db`
    ${containsText(db, searchText, db`d.device_name`, db`d.device_serial`, db`d.device_description`)}
    ${deviceIDList.length > 0 ? db`and d.key = any(${deviceIDList}::bigint[])` : db``}
    ${stateList.length > 0 ? db`and ${deviceState(db)} = any(${stateList}::text[])` : db``}
    ${softwareVersion ? db`and s.software_version = ${softwareVersion}` : db``}
    ${given.mostBatteryPercent === undefined ? db`` : db`and s.battery_percent <= ${given.mostBatteryPercent}::float8`}
    ${given.leastDiskUsedPercent === undefined ? db`` : db`and s.disk_used_percent >= ${given.leastDiskUsedPercent}::float8`}
    ${collectionIDList.length > 0 ? isInCollections(db, caller, collectionIDList) : db``}`;
}

const isInCollections = (db: Db, caller: Caller, keys: readonly number[]): Fragment => db`
  and d.key in (
    select i.device_id from collection_items i join collections c on c.key = i.collection_id
    where i.collection_id = any(${keys as number[]}::bigint[]) and i.device_id is not null
      and ${collectionRight(db, caller, 'read')})`;

const listed = (db: Db, caller: Caller, given: Conditions): Fragment => db`
  from devices d join device_summaries s on s.device_id = d.key
  where ${deviceRight(db, caller, 'read')} ${matches(db, caller, given)}`;

type PlacedDevice = DeviceRow & PlacedKey;

/** The table of devices. What it does not sort by is read for the rows of a page alone. */
export const deviceTable: DeclaredTable<DeviceSort, DevicePageFilter, PlacedDevice> = {
  sorts: deviceSorts,
  values: deviceSortValues,
  key: (db) => db`d.key`,
  keyOf,
  from: listed,
  possible: possibleDevices,
  read: (db, caller, page) => db<PlacedDevice[]>`
    with ${page}
    select page.place, page.key, d.user_id as "userID", d.device_name as "deviceName",
      d.device_serial as "deviceSerial", d.device_description as "deviceDescription", d.time_zone as "timeZone",
      ${deviceState(db)} as state, contact.heard as "lastContactDate",
      to_timestamp(s.sound_ms / 1000.0) as "lastSoundDate",
      case when s.day_end > now() then s.clips_today else 0 end as "clipsToday",
      s.battery_percent as "batteryPercent", s.disk_used_percent as "diskUsedPercent",
      s.clock_error_ms / 1000.0::float8 as "clockErrorSeconds", s.software_version as "softwareVersion",
      coalesce((
        select json_agg(n) from (
          select c.key as "collectionID", c.collection_name as "collectionName"
          from collection_items i join collections c on c.key = i.collection_id
          where i.device_id = d.key and ${collectionRight(db, caller, 'read')}
          order by c.collection_name, c.key limit ${mostNamedCollections}) n), '[]') as collections,
      ${deviceRight(db, caller, 'write')} as "mayWrite", ${deviceRight(db, caller, 'own')} as "mayOwn",
      d.creation_date as "creationDate"
    from page cross join lateral (select * from devices o where o.key = page.key limit 1) d
    cross join lateral (select * from device_summaries o where o.device_id = d.key limit 1) s
    cross join ${deviceContact(db)}
    order by page.position`,
};

export interface NamedKey {
  readonly key: number;
  readonly name: string;
}

/** The first matching devices by key. */
export const selectDeviceNames = (db: Db, caller: Caller, given: Conditions, most: number): Promise<NamedKey[]> =>
  db<NamedKey[]>`
    select d.key, d.device_name as name ${listed(db, caller, given)} and ${isPossibleDevice(db, caller)}
    order by d.key limit ${most}`;

/** The names of those of the devices that the caller may read. */
export const nameDevices = (db: Db, caller: Caller, keys: readonly number[]): Promise<NamedKey[]> =>
  db<NamedKey[]>`
    select d.key, d.device_name as name from devices d
    where d.key = any(${keys as number[]}::bigint[]) and ${deviceRight(db, caller, 'read')}`;

/** How many of the devices are in each state; states without devices are left out. */
export async function countStates(db: Db, caller: Caller, given: Conditions): Promise<DeviceStateCount[]> {
  return db<DeviceStateCount[]>`
    select state, count(*)::int as count
    from (select ${deviceState(db)} as state ${listed(db, caller, { ...given, stateList: [] })}
      and ${isPossibleDevice(db, caller)}) counted group by state`;
}
