import type { DeviceSetting } from '@earshot/contract/device-setting';
import { mostSettings } from '@earshot/contract/device-setting';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

const settingColumns = (db: Db): Fragment => db`
  s.key, s.device_id as "deviceID", s.setting_name as "settingName",
  coalesce(s.wanted_value, s.reported_value) as "settingValue", s.wanted_value as "wantedValue",
  s.reported_value as "reportedValue",
  s.wanted_value is not null and s.wanted_value is distinct from s.reported_value as "isDifferent",
  s.creation_date as "creationDate", s.created_by as "createdBy", s.last_modified_date as "lastModifiedDate",
  s.last_modified_by as "lastModifiedBy"`;

export async function selectSettings(db: Db, caller: Caller, deviceID: number): Promise<DeviceSetting[]> {
  return db<DeviceSetting[]>`
    select ${settingColumns(db)} from device_settings s join devices d on d.key = s.device_id
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')} order by s.setting_name limit ${mostSettings}`;
}

export async function findSetting(
  db: Db,
  caller: Caller,
  deviceID: number,
  name: string,
): Promise<DeviceSetting | undefined> {
  const [row] = await db<DeviceSetting[]>`
    select ${settingColumns(db)} from device_settings s join devices d on d.key = s.device_id
    where s.device_id = ${deviceID} and s.setting_name = ${name} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** Who has set the value: a person, or the device itself. */
export type SettingSide = 'wanted' | 'reported';

const columnOf = (db: Db, side: SettingSide) => db(`${side}_value`);

/** Locks the device, so that its settings can be counted. */
export const lockDeviceOfSettings = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from devices where key = ${deviceID} for no key update`;

export async function countOtherSettings(tx: Db, deviceID: number, name: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from device_settings where device_id = ${deviceID} and setting_name <> ${name}`;
  return row?.count ?? 0;
}

/** Sets the value of a setting that exists; false if there is none. */
export async function changeSetting(
  db: Db,
  caller: Caller,
  deviceID: number,
  name: string,
  side: SettingSide,
  value: string,
): Promise<boolean> {
  const rows = await db`
    update device_settings set ${columnOf(db, side)} = ${value}, last_modified_date = now(),
      last_modified_by = ${caller.userID}
    where device_id = ${deviceID} and setting_name = ${name} returning 1`;
  return rows.length === 1;
}

export async function insertSetting(
  tx: Db,
  caller: Caller,
  deviceID: number,
  name: string,
  side: SettingSide,
  value: string,
): Promise<void> {
  await tx`
    insert into device_settings (device_id, setting_name, ${columnOf(tx, side)}, created_by)
    values (${deviceID}, ${name}, ${value}, ${caller.userID})`;
}

/** Removes one value, and the setting if the other one is not set. False if there is no such setting. */
export async function removeSettingValue(db: Db, deviceID: number, name: string, side: SettingSide): Promise<boolean> {
  const other = db(side === 'wanted' ? 'reported_value' : 'wanted_value');
  const rows = await db`
    with held as (
      select key, ${other} is null as is_last from device_settings
      where device_id = ${deviceID} and setting_name = ${name} for update),
    gone as (delete from device_settings s using held where s.key = held.key and held.is_last),
    kept as (
      update device_settings s set ${columnOf(db, side)} = null, last_modified_date = now()
      from held where s.key = held.key and not held.is_last)
    select 1 from held`;
  return rows.length === 1;
}

export async function removeSetting(db: Db, deviceID: number, name: string): Promise<boolean> {
  const rows = await db`
    delete from device_settings where device_id = ${deviceID} and setting_name = ${name} returning 1`;
  return rows.length === 1;
}

export const lockSettingsOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from device_settings where device_id = ${deviceID} order by key for update`;
