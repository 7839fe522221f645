import type { CreateDevice, Device, DeviceUpdate } from '@earshot/contract/device';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import {
  activeUserExists,
  allowLongStatements,
  changeDevice,
  findNamedDevices,
  insertDevice,
  lockDeviceForRemoval,
  lockDeviceOwner,
  removeDevice,
  serialIsTaken,
  mergeLongestClip,
  findDevice,
} from './queries.ts';
import { recordAct } from '../audit/public.ts';
import { removeKeysOfDevice } from '../api-key/public.ts';
import { changeCredentials } from '../caller/public.ts';
import type { DeviceNames } from './find-by-name.ts';
import { single } from './find-by-name.ts';
import type { DeviceRemoval } from './removal.ts';

export interface DeviceParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly deviceRemovals: readonly DeviceRemoval[];
}

const serialTaken = (serial: string) => conflict(`Another device has the serial ${serial}.`);

export async function addDevice(db: Db, caller: Caller, given: CreateDevice): Promise<Device> {
  const deviceID = await insertDevice(db, caller, given);
  if (deviceID === undefined) throw serialTaken(given.deviceSerial);
  return readDevice(db, caller, deviceID);
}

export async function editDevice({ db }: DeviceParts, caller: Caller, deviceID: number, update: DeviceUpdate) {
  await inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    const ownerID = await lockDeviceOwner(tx, deviceID);
    if (ownerID === undefined) throw notFound('device', deviceID);
    if (update.userID !== undefined && update.userID !== ownerID)
      await requireTransfer(tx, caller, deviceID, update.userID);
    if (update.deviceSerial !== undefined && (await serialIsTaken(tx, update.deviceSerial, deviceID))) {
      throw serialTaken(update.deviceSerial);
    }
    await recordAct(tx, caller, 'device-changed', { recordID: deviceID, deviceID, personID: update.userID });
    await changeDevice(tx, caller, deviceID, update);
  });
}

async function requireTransfer(tx: Db, caller: Caller, deviceID: number, newOwnerID: number): Promise<void> {
  await requireDevice(tx, caller, 'own', deviceID);
  if (!(await activeUserExists(tx, newOwnerID))) throw invalidField('userID', 'must be an active user');
}

/** When this returns, the device's keys are rejected on every node. */
export async function eraseDevice(parts: DeviceParts, caller: Caller, deviceID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => ({
    result: undefined,
    subjects: await eraseDeviceWithin(tx, parts, caller, deviceID),
  }));
}

/** For `changeCredentials`: returns the people whose keys were removed. */
export async function eraseDeviceWithin(
  tx: Db,
  { deviceRemovals }: Pick<DeviceParts, 'deviceRemovals'>,
  caller: Caller,
  deviceID: number,
): Promise<readonly number[]> {
  await requireDevice(tx, caller, 'own', deviceID);
  await lockDeviceForRemoval(tx, deviceID);
  const subjects = await removeKeysOfDevice(tx, deviceID);
  await allowLongStatements(tx);
  for (const { lock } of deviceRemovals) await lock?.(tx, deviceID);
  for (const { remove } of deviceRemovals) await remove?.(tx, deviceID, caller);
  await recordAct(tx, caller, 'device-removed', { recordID: deviceID, deviceID });
  await removeDevice(tx, deviceID);
  return subjects;
}

/** When this returns, the keys of the removed device are rejected on every node. */
export async function mergeDevices(
  parts: DeviceParts,
  caller: Caller,
  deviceID: number,
  intoID: number,
): Promise<Device> {
  await changeCredentials(parts, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    if (deviceID === intoID) throw conflict('A device cannot be merged into itself. Name another one as intoDeviceID.');
    await requireDevice(tx, caller, 'own', intoID);
    for (const key of [deviceID, intoID].toSorted((one, other) => one - other)) await lockDeviceForRemoval(tx, key);
    const subjects = await removeKeysOfDevice(tx, deviceID);
    await allowLongStatements(tx);
    for (const { lock } of parts.deviceRemovals) await lock?.(tx, deviceID);
    for (const { move } of parts.deviceRemovals) await move?.(tx, deviceID, intoID);
    await mergeLongestClip(tx, caller, deviceID, intoID);
    for (const { remove } of parts.deviceRemovals) await remove?.(tx, deviceID, caller);
    await recordAct(tx, caller, 'device-removed', { recordID: deviceID, deviceID });
    await removeDevice(tx, deviceID);
    return { result: undefined, subjects };
  });
  return readDevice(parts.db, caller, intoID);
}

/** `POST /v1/device/name` tries serials first, whichever field the text is in. */
export async function lookUpDevice(db: Db, caller: Caller, names: DeviceNames): Promise<Device> {
  const text = names.deviceSerial || names.deviceName;
  if (!text) throw invalidField('deviceName', 'or deviceSerial is required');
  const bySerial = single(await findNamedDevices(db, caller, 'read', { serial: text }));
  const found = bySerial === 'unknown' ? single(await findNamedDevices(db, caller, 'read', { name: text })) : bySerial;
  if (found === 'ambiguous') throw conflict(`Several devices are named ${text}; name it by serial.`);
  if (typeof found === 'string') throw notFound('device', text);
  return readDevice(db, caller, found.deviceID);
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

export async function readDevice(db: Db, caller: Caller, deviceID: number): Promise<Device> {
  const device = await findDevice(db, caller, deviceID);
  if (!device) throw notFound('device', deviceID);
  return device;
}
