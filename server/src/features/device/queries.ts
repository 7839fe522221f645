import type { CreateDevice, Device, DeviceFilter, DeviceUpdate } from '@earshot/contract/device';
import type { Right } from '@earshot/contract/operation';
import { defaultCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceReaders, deviceRight } from '../access/rules.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { noteRemoved } from '../removed-file/rules.ts';
import { isOnline, lastContact } from './presence.ts';

const devices = (db: Db): Fragment => db`devices d cross join ${lastContact(db)}`;

const deviceColumns = (db: Db): Fragment => db`
  d.key, d.user_id as "userID", d.device_name as "deviceName", d.device_serial as "deviceSerial",
  d.device_description as "deviceDescription", d.time_zone as "timeZone", d.retention_days as "retentionDays",
  d.auto_caption as "autoCaption", contact.heard as "lastHeardFromDate", ${isOnline(db)} as online,
  d.creation_date as "creationDate", d.created_by as "createdBy",
  d.last_modified_date as "lastModifiedDate", d.last_modified_by as "lastModifiedBy"`;

export async function findDevice(db: Db, caller: Caller, deviceID: number): Promise<Device | undefined> {
  const [row] = await db<Device[]>`
    select ${deviceColumns(db)} from ${devices(db)} where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which checks separately what each listener may read. */
export async function findDevicesByKey(db: Db, keys: readonly number[]): Promise<Device[]> {
  return db<Device[]>`
    select ${deviceColumns(db)} from ${devices(db)} where d.key = any(${keys as number[]}::bigint[])`;
}

export async function listDevices(db: Db, caller: Caller, filter: DeviceFilter): Promise<Device[]> {
  const pattern = `%${(filter.searchText ?? '').replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const text = filter.searchText
    ? db`and (d.device_name ilike ${pattern} or d.device_serial ilike ${pattern} or d.device_description ilike ${pattern})`
    : db``;
  const online = filter.online === undefined ? db`` : db`and ${isOnline(db)} = ${filter.online}`;
  const direction = filter.order?.toLowerCase() === 'asc' ? db`asc` : db`desc`;
  return db<Device[]>`
    select ${deviceColumns(db)} from ${devices(db)}
    where ${deviceRight(db, caller, 'read')} ${text} ${online}
    order by d.creation_date ${direction}, d.key ${direction}
    limit ${filter.count || defaultCount} offset ${filter.offset ?? 0}`;
}

/**
 * The devices with this serial or name that the caller has the right to; two are enough to detect an ambiguous name.
 */
export async function findDeviceKeys(
  db: Db,
  caller: Caller,
  right: Right,
  by: { serial: string } | { name: string },
): Promise<readonly number[]> {
  const match = 'serial' in by ? db`d.device_serial = ${by.serial}` : db`d.device_name = ${by.name}`;
  const rows = await db<{ key: number }[]>`
    select d.key from devices d where ${match} and ${deviceRight(db, caller, right)} order by d.key limit 2`;
  return rows.map(({ key }) => key);
}

/** Returns undefined if another device has the serial. */
export async function insertDevice(db: Db, caller: Caller, device: CreateDevice): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with added as (
      insert into devices (user_id, device_name, device_serial, device_description, time_zone, retention_days,
        auto_caption, created_by)
      values (${caller.userID}, ${device.deviceName ?? device.deviceSerial}, ${device.deviceSerial},
        ${device.deviceDescription ?? null}, ${device.timeZone ?? 'UTC'}, ${device.retentionDays ?? null},
        ${device.autoCaption ?? true}, ${caller.userID})
      on conflict (device_serial) do nothing
      returning key, key as device_id),
    logged as (${recordChanges(db, { kind: 'device', change: 'created', rows: db`added` })})
    select key from added`;
  return row?.key;
}

/** The owner in whose turn work for the device is done; 0 if the device was removed. */
export async function findDeviceOwner(db: Db, deviceID: number): Promise<number> {
  const [row] = await db<{ userID: number }[]>`select user_id as "userID" from devices where key = ${deviceID}`;
  return row?.userID ?? 0;
}

export async function lockDeviceOwner(tx: Db, deviceID: number): Promise<number | undefined> {
  const [row] = await tx<{ userID: number }[]>`
    select user_id as "userID" from devices where key = ${deviceID} for no key update`;
  return row?.userID;
}

/** Locks the device, so that no rows that refer to it can be added. */
export async function lockDeviceForRemoval(tx: Db, deviceID: number): Promise<void> {
  await tx`select 1 from devices where key = ${deviceID} for update`;
}

export async function changeDevice(db: Db, caller: Caller, deviceID: number, update: DeviceUpdate): Promise<void> {
  const device = { kind: 'device', rows: db`changed` } as const;
  const changed = { ...device, change: 'changed' } as const;
  // When a device gets a new owner, the former owner's shares are removed: people who had access by them lose it.
  const left = { ...device, change: 'removed', readers: db`r.former_readers` } as const;
  const isGiven = update.userID !== undefined;
  await db`
    with former as (select d.key, ${isGiven ? deviceReaders(db) : db`null`} as readers from devices d where d.key = ${deviceID}),
    changed as (
      update devices d set last_modified_date = now(), last_modified_by = ${caller.userID} ${changedColumns(db, {
        device_name: update.deviceName,
        device_serial: update.deviceSerial,
        device_description: update.deviceDescription,
        time_zone: update.timeZone,
        retention_days: update.retentionDays,
        auto_caption: update.autoCaption,
        user_id: update.userID,
      })} from former where d.key = former.key
      returning d.key, d.key as device_id, former.readers as former_readers)
    ${isGiven ? recordChanges(db, changed, left) : recordChanges(db, changed)}`;
}

export async function serialIsTaken(db: Db, serial: string, exceptID: number): Promise<boolean> {
  const rows = await db`select 1 from devices where device_serial = ${serial} and key <> ${exceptID}`;
  return rows.length === 1;
}

export async function activeUserExists(db: Db, userID: number): Promise<boolean> {
  const rows = await db`select 1 from users where key = ${userID} and not disabled`;
  return rows.length === 1;
}

/**
 * Removes a device with everything that belongs to it, without recording each removal; collections that held it are
 * recorded as changed. Clips are removed before their files, because an available clip must have its file. Files are
 * removed by a statement of their own, because their bytes must be removed too.
 */
export async function removeDevice(tx: Db, deviceID: number): Promise<void> {
  // Removing a million clips takes long.
  await tx`set local statement_timeout = '15min'`;
  // Locks in the order of docs/decisions/0020.
  await tx`select 1 from agents where device_id = ${deviceID} order by key for update`;
  await tx`select 1 from events where device_id = ${deviceID} for update`;
  // A separate statement, which sees the history that other transactions wrote before the events were locked.
  await tx`delete from event_transitions t using events e where e.device_id = ${deviceID} and t.event_id = e.key`;
  await tx`delete from events where device_id = ${deviceID}`;
  await tx`delete from audio_clips where device_id = ${deviceID}`;
  await tx`select 1 from files where device_id = ${deviceID} order by key for update`;
  await tx`
    select 1 from collection_items i
    where i.device_id = ${deviceID} or i.file_id in (select f.key from files f where f.device_id = ${deviceID})
    order by i.key for update`;
  await tx`select 1 from event_presets where device_id = ${deviceID} order by key for update`;
  await tx`
    with held as (
      select distinct i.collection_id as key, null::bigint as device_id
      from collection_items i join files f on f.key = i.file_id where f.device_id = ${deviceID}),
    gone as (delete from files where device_id = ${deviceID} returning storage_name, file_status),
    noted as (${noteRemoved(tx, tx`gone`)})
    ${recordChanges(tx, { kind: 'collection', change: 'changed', rows: tx`held` })}`;
  await tx`
    with held as (
      select i.collection_id as key, null::bigint as device_id from collection_items i where i.device_id = ${deviceID}),
    gone as (
      delete from devices d where d.key = ${deviceID}
      returning d.key, d.key as device_id, ${deviceReaders(tx)} as readers)
    ${recordChanges(
      tx,
      { kind: 'device', change: 'removed', rows: tx`gone`, readers: tx`r.readers` },
      { kind: 'collection', change: 'changed', rows: tx`held` },
    )}`;
}
