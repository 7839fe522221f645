import type { CreateDevice, Device, DeviceUpdate } from '@earshot/contract/device';
import type { Right } from '@earshot/contract/operation';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../access/rules.ts';
import { removeKeysOfDevice } from '../api-key/rules.ts';
import { changeCredentials } from '../caller/rules.ts';
import {
  activeUserExists,
  changeDevice,
  findDevice,
  findDeviceKeys,
  insertDevice,
  lockDeviceForRemoval,
  lockDeviceOwner,
  removeDevice,
  serialIsTaken,
} from './queries.ts';

export { announceSilent, cameOnline, noteContact } from './presence.ts';
export { findDeviceOwner, findDevicesByKey } from './queries.ts';

export interface DeviceParts {
  readonly db: Pool;
  readonly cluster: Cluster;
}

export interface DeviceNames {
  readonly deviceSerial?: string | undefined;
  readonly deviceName?: string | undefined;
}

const serialTaken = (serial: string) => conflict(`Another device has the serial ${serial}.`);

export async function readDevice(db: Db, caller: Caller, deviceID: number): Promise<Device> {
  const device = await findDevice(db, caller, deviceID);
  if (!device) throw notFound('device', deviceID);
  return device;
}

export async function createDevice(db: Db, caller: Caller, given: CreateDevice): Promise<Device> {
  const deviceID = await insertDevice(db, caller, given);
  if (deviceID === undefined) throw serialTaken(given.deviceSerial);
  return readDevice(db, caller, deviceID);
}

export async function updateDevice({ db }: DeviceParts, caller: Caller, deviceID: number, update: DeviceUpdate) {
  await inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    const ownerID = await lockDeviceOwner(tx, deviceID);
    if (ownerID === undefined) throw notFound('device', deviceID);
    if (update.userID !== undefined && update.userID !== ownerID)
      await requireTransfer(tx, caller, deviceID, update.userID);
    if (update.deviceSerial !== undefined && (await serialIsTaken(tx, update.deviceSerial, deviceID))) {
      throw serialTaken(update.deviceSerial);
    }
    await changeDevice(tx, caller, deviceID, update);
  });
}

async function requireTransfer(tx: Db, caller: Caller, deviceID: number, newOwnerID: number): Promise<void> {
  await requireDevice(tx, caller, 'own', deviceID);
  if (!(await activeUserExists(tx, newOwnerID))) throw invalidField('userID', 'must be an active user');
}

/** When this returns, the device's keys are rejected on every node. */
export async function deleteDevice(parts: DeviceParts, caller: Caller, deviceID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    await lockDeviceForRemoval(tx, deviceID);
    const subjects = await removeKeysOfDevice(tx, deviceID);
    await removeDevice(tx, deviceID);
    return { result: undefined, subjects };
  });
}

export type FoundDevice = { readonly deviceID: number } | 'unknown' | 'ambiguous' | 'unnamed';

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

function single(keys: readonly number[]): FoundDevice {
  const [deviceID] = keys;
  if (deviceID === undefined) return 'unknown';
  return keys.length > 1 ? 'ambiguous' : { deviceID };
}

/** `POST /v1/device/name` tries serials first, whichever field the text is in. */
export async function lookUpDevice(db: Db, caller: Caller, names: DeviceNames): Promise<Device> {
  const text = names.deviceSerial || names.deviceName;
  if (!text) throw invalidField('deviceName', 'or deviceSerial is required');
  const bySerial = single(await findDeviceKeys(db, caller, 'read', { serial: text }));
  const found = bySerial === 'unknown' ? single(await findDeviceKeys(db, caller, 'read', { name: text })) : bySerial;
  if (found === 'ambiguous') throw conflict(`Several devices are named ${text}; name it by serial.`);
  if (typeof found === 'string') throw notFound('device', text);
  return readDevice(db, caller, found.deviceID);
}
