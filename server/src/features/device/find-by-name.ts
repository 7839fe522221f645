import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Right } from '@earshot/contract/operation';
import { findDeviceKeys } from './queries.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { requireDevice } from '../../access.ts';

type FoundDevice = { readonly deviceID: number } | 'unknown' | 'ambiguous' | 'unnamed';

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

export function single(keys: readonly number[]): FoundDevice {
  const [deviceID] = keys;
  if (deviceID === undefined) return 'unknown';
  return keys.length > 1 ? 'ambiguous' : { deviceID };
}

/** For reports of devices. Throws 404 if the caller may read no such device, 403 if the caller may only read it. */
export async function requireReportingDevice(db: Db, caller: Caller, names: DeviceNames): Promise<number> {
  const deviceID = await requireDeviceNamed(db, caller, 'read', names);
  await requireDevice(db, caller, 'write', deviceID);
  return deviceID;
}
