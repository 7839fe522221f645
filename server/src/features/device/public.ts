import type { Db, Fragment } from '../../platform/database/connect.ts';
import { isOnline, lastContact, renewSeconds, window } from './presence.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Right } from '@earshot/contract/operation';
import type { Device } from '@earshot/contract/device';
import { findDevice, findDeviceKeys, insertDevice } from './queries.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { requireDevice } from '../../access.ts';

/** Part of a statement: `came`, the devices that go online by this contact. `devices` is a query for `device_id`. */
export const noteContact = (db: Db, devices: Fragment): Fragment => db`
  came as (
    insert into online_devices as o (device_id, until)
    select c.device_id, now() + ${window(db)} from (${devices}) c
    where not exists (
      select 1 from online_devices known
      where known.device_id = c.device_id and known.until > now() + make_interval(secs => ${renewSeconds}))
    order by c.device_id
    on conflict (device_id) do update set until = excluded.until
    returning o.device_id as key, o.device_id, o.since)`;

/** The devices in `came` that were not online before. */
export const cameOnline = (db: Db) =>
  ({ kind: 'device', change: 'changed', rows: db`(select key, device_id from came where since = now())` }) as const;

/** How long it is known when devices were online. */
const onlineTimesHours = 48;

/** Records devices that went offline, and returns their number. */
export async function recordOfflineDevices(db: Db, most: number): Promise<number> {
  const gone = await db`
    with due as (
      select o.device_id from online_devices o where o.until <= now()
      order by o.until limit ${most} for update skip locked),
    looked as (
      select d.key, contact.heard, ${isOnline(db)} as online
      from due join devices d on d.key = due.device_id cross join ${lastContact(db)}),
    kept as (
      update online_devices o set until = looked.heard + ${window(db)} from looked
      where o.device_id = looked.key and looked.online),
    gone as (
      delete from online_devices o using looked
      where o.device_id = looked.key and not looked.online
      returning o.device_id as key, o.device_id, o.since, looked.heard),
    noted as (
      insert into online_times (device_id, since, until)
      select device_id, since, greatest(since, coalesce(heard + ${window(db)}, since)) from gone),
    forgotten as (
      delete from online_times t using gone
      where t.device_id = gone.device_id and t.until < now() - make_interval(hours => ${onlineTimesHours}))
    ${recordChanges(db, { kind: 'device', change: 'changed', rows: db`(select key, device_id from gone)` })} returning 1`;
  return gone.length;
}

/** The owner in whose turn work for the device is done; 0 if the device was removed. */
export async function findDeviceOwner(db: Db, deviceID: number): Promise<number> {
  const [row] = await db<{ userID: number }[]>`select user_id as "userID" from devices where key = ${deviceID}`;
  return row?.userID ?? 0;
}

/** Adds a device under the given serial or, if another device has it, under one with a number behind it. */
export async function addDeviceNamedFreely(
  tx: Db,
  caller: Caller,
  { deviceName, deviceSerial }: { readonly deviceName: string; readonly deviceSerial: string },
): Promise<number> {
  for (let number = 1; ; number++) {
    const serial = number === 1 ? deviceSerial : `${deviceSerial}-${number}`;
    const deviceID = await insertDevice(tx, caller, { deviceName, deviceSerial: serial });
    if (deviceID !== undefined) return deviceID;
  }
}

export interface DeviceNames {
  readonly deviceSerial?: string | undefined;
  readonly deviceName?: string | undefined;
}

/** Finds by serial, else by name. A name that matches no device is tried as a serial, because clients send it so. */
export async function findDeviceByNames(
  db: Db,
  caller: Caller,
  right: Right,
  names: DeviceNames,
): Promise<FoundDevice> {
  const { deviceSerial, deviceName } = names;
  if (deviceSerial) return single(await findDeviceKeys(db, caller, right, { serial: deviceSerial }));
  if (!deviceName) return 'unnamed';
  const byName = await findDeviceKeys(db, caller, right, { name: deviceName });
  if (byName.length > 0) return single(byName);
  return single(await findDeviceKeys(db, caller, right, { serial: deviceName }));
}

/** For operations on one device that is named in the body. Throws 404 if the caller may read no such device. */
export async function requireDeviceNamed(db: Db, caller: Caller, right: Right, names: DeviceNames): Promise<number> {
  const found = await findDeviceByNames(db, caller, right, names);
  if (typeof found === 'object') return found.deviceID;
  const name = names.deviceSerial || names.deviceName || '';
  if (found === 'unnamed')
    throw invalidField('deviceSerial', 'is required, unless the request names the device in another way');
  if (found === 'ambiguous') throw conflict(`Several devices are named ${name}; name it by deviceSerial.`);
  throw notFound('device', name);
}

/**
 * Part of every statement that sets the times of clips: updates the length of the device's longest clip from rows with
 * `device_id`, `start_ms` and `end_ms`. Lists read only this far back before their range. The row is written only when
 * a clip is longer than all before. The statement must lock the devices before any existing clip.
 */
export const noteLengths = (db: Db, rows: Fragment): Fragment => db`
  update device_states state set longest_clip_ms = longest.length_ms
  from (select device_id, max(end_ms - start_ms) as length_ms from ${rows} r group by device_id) longest
  where state.device_id = longest.device_id and state.longest_clip_ms < longest.length_ms`;

/** The devices `d` that meet the condition, as `d` with `key`, `user_id` and `longest_clip_ms`. */
export const devicesWithLengths = (db: Db, condition: Fragment): Fragment => db`(
  select d.key, d.user_id, state.longest_clip_ms from devices d join device_states state on state.device_id = d.key
  where ${condition}) d`;

export const recordPoll = (db: Db, deviceID: number): Promise<void> =>
  notePolls(db, db`select d.key from devices d where d.key = ${deviceID} for key share`);

/** Never waits for locks: a locked device is being polled or removed, and the next poll records it. */
export const recordPolls = (db: Db, deviceIDs: readonly number[]): Promise<void> =>
  notePolls(
    db,
    db`
      select d.key from devices d join device_states state on state.device_id = d.key
      where d.key = any(${deviceIDs as number[]}::bigint[])
      for key share of d skip locked for no key update of state skip locked`,
  );

/** `devices` is a query for `key` that locks the devices, because presence refers to them. */
async function notePolls(db: Db, devices: Fragment): Promise<void> {
  await db`
    with known as (${devices}),
    polled as (
      update device_states state set last_poll_date = now() from known where state.device_id = known.key
      returning state.device_id),
    ${noteContact(db, db`select device_id from polled`)}
    ${recordChanges(db, cameOnline(db))}`;
}

/**
 * What a feature does with its records of a device, in the transaction that removes the device. All features lock first,
 * in the order of locks (docs/decisions/0020), then all remove.
 */
export interface DeviceRemoval {
  readonly lock?: (tx: Db, deviceID: number) => Promise<unknown>;
  /** Only what the removal of the device's row does not remove by itself. */
  readonly remove?: (tx: Db, deviceID: number) => Promise<unknown>;
  /** Gives its records to another device, before the device is removed. Throws 409 if that is not possible. */
  readonly move?: (tx: Db, deviceID: number, intoID: number) => Promise<unknown>;
}

export type FoundDevice = { readonly deviceID: number } | 'unknown' | 'ambiguous' | 'unnamed';

export function single(keys: readonly number[]): FoundDevice {
  const [deviceID] = keys;
  if (deviceID === undefined) return 'unknown';
  return keys.length > 1 ? 'ambiguous' : { deviceID };
}

export async function readDevice(db: Db, caller: Caller, deviceID: number): Promise<Device> {
  const device = await findDevice(db, caller, deviceID);
  if (!device) throw notFound('device', deviceID);
  return device;
}

/** For reports of devices. Throws 404 if the caller may read no such device, 403 if the caller may only read it. */
export async function requireReportingDevice(db: Db, caller: Caller, names: DeviceNames): Promise<number> {
  const deviceID = await requireDeviceNamed(db, caller, 'read', names);
  await requireDevice(db, caller, 'write', deviceID);
  return deviceID;
}

/** The time of last contact as `contact.heard`, to be joined to devices `d`. */
export const deviceContact = (db: Db): Fragment => lastContact(db);

/** Whether the device `d`, joined with its contact, is online. */
export const isDeviceOnline = (db: Db): Fragment => isOnline(db);
