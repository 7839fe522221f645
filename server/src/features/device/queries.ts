import type { CreateDevice, Device, DeviceFilter, DeviceUpdate } from '@earshot/contract/device';
import type { Right } from '@earshot/contract/operation';
import { defaultCount, largestCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceReaders, deviceRight } from '../../access.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { recordActs } from '../audit/public.ts';
import { isDeviceOnline, deviceContact } from './presence-queries.ts';

const devices = (db: Db): Fragment => db`devices d cross join ${deviceContact(db)}`;

const deviceColumns = (db: Db): Fragment => db`
  d.key, d.user_id as "userID", d.device_name as "deviceName", d.device_serial as "deviceSerial",
  d.device_serial as "serialNumber",
  d.device_description as "deviceDescription", d.time_zone as "timeZone", d.retention_days as "retentionDays",
  d.auto_caption as "autoCaption", d.caption_engine as "captionEngine",
  d.is_radio as "isRadio", contact.heard as "lastHeardFromDate", ${isDeviceOnline(db)} as online,
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

export async function findDevices(db: Db, caller: Caller, filter: DeviceFilter): Promise<Device[]> {
  const pattern = `%${(filter.searchText ?? '').replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const text = filter.searchText
    ? db`and (d.device_name ilike ${pattern} or d.device_serial ilike ${pattern} or d.device_description ilike ${pattern})`
    : db``;
  const online = filter.online === undefined ? db`` : db`and ${isDeviceOnline(db)} = ${filter.online}`;
  const direction = filter.order?.toLowerCase() === 'asc' ? db`asc` : db`desc`;
  return db<Device[]>`
    select ${deviceColumns(db)} from ${devices(db)}
    where ${deviceRight(db, caller, 'read')} ${text} ${online}
    order by d.creation_date ${direction}, d.key ${direction}
    limit ${filter.count || defaultCount} offset ${filter.offset ?? 0}`;
}

export async function findOwnDevices(db: Db, caller: Caller): Promise<Device[]> {
  return db<Device[]>`
    select ${deviceColumns(db)} from ${devices(db)}
    where d.user_id = ${caller.userID} and ${deviceRight(db, caller, 'read')}
    order by d.creation_date desc, d.key desc limit ${largestCount}`;
}

export interface KnownDevice {
  readonly deviceID: number;
  readonly mayWrite: boolean;
}

/**
 * The devices with this serial or name that the caller has the right to; two are enough to detect an ambiguous name.
 */
export async function findNamedDevices(
  db: Db,
  caller: Caller,
  right: Right,
  by: { serial: string } | { name: string },
): Promise<readonly KnownDevice[]> {
  const match = 'serial' in by ? db`d.device_serial = ${by.serial}` : db`d.device_name = ${by.name}`;
  return db<KnownDevice[]>`
    select d.key as "deviceID", ${deviceRight(db, caller, 'write')} as "mayWrite" from devices d
    where ${match} and ${deviceRight(db, caller, right)} order by d.key limit 2`;
}

/** Returns undefined if another device has the serial. */
export async function insertDevice(db: Db, caller: Caller, device: CreateDevice): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with added as (
      insert into devices (user_id, device_name, device_serial, device_description, time_zone, retention_days,
        auto_caption, caption_engine, is_radio, created_by)
      values (${caller.userID}, ${device.deviceName ?? device.deviceSerial}, ${device.deviceSerial},
        ${device.deviceDescription ?? null}, ${device.timeZone ?? 'UTC'}, ${device.retentionDays ?? null},
        ${device.autoCaption ?? true}, ${device.captionEngine ?? null},
        ${device.isRadio ?? false}, ${caller.userID})
      on conflict (device_serial) do nothing
      returning key, key as device_id),
    logged as (${recordChanges(db, { kind: 'device', change: 'created', rows: db`added` })})
    select key from added`;
  return row?.key;
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
        caption_engine: update.captionEngine,
        is_radio: update.isRadio,
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

/** Until the transaction ends. Removing or moving a million clips takes minutes. */
export async function allowLongStatements(tx: Db): Promise<void> {
  await tx`set local statement_timeout = '15min'`;
  await tx`set local lock_timeout = 0`;
}

/** The collections that contained the device are changed. */
export async function removeDevice(tx: Db, deviceID: number): Promise<void> {
  await tx`
    with held as (
      select i.collection_id as key, null::bigint as device_id from collection_items i where i.device_id = ${deviceID}),
    forgotten as (delete from online_times t where t.device_id = ${deviceID}),
    gone as (
      delete from devices d where d.key = ${deviceID}
      returning d.key, d.key as device_id, ${deviceReaders(tx)} as readers)
    ${recordChanges(
      tx,
      { kind: 'device', change: 'removed', rows: tx`gone`, readers: tx`r.readers` },
      { kind: 'collection', change: 'changed', rows: tx`held` },
    )}`;
}

/**
 * The other device has the clips of this one by now. It is recorded as changed, and its audit trail has the key of the
 * device that was merged into it.
 */
export async function mergeLongestClip(tx: Db, caller: Caller, fromID: number, intoID: number): Promise<void> {
  await tx`
    with longest as (
      update device_states state set longest_clip_ms = former.longest_clip_ms from device_states former
      where state.device_id = ${intoID} and former.device_id = ${fromID}
        and state.longest_clip_ms < former.longest_clip_ms),
    changed as (
      update devices d set last_modified_date = now(), last_modified_by = ${caller.userID}
      where d.key = ${intoID} returning d.key, d.key as device_id),
    told as (${recordActs(tx, caller, 'device-merged', tx`(select ${fromID}::bigint as key, ${intoID}::bigint as device_id)`)})
    ${recordChanges(tx, { kind: 'device', change: 'changed', rows: tx`changed` })}`;
}

/** The owner in whose turn work for the device is done; 0 if the device was removed. */
export async function findDeviceOwner(db: Db, deviceID: number): Promise<number> {
  const [row] = await db<{ userID: number }[]>`select user_id as "userID" from devices where key = ${deviceID}`;
  return row?.userID ?? 0;
}
