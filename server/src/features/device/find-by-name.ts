import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Right } from '@earshot/contract/operation';
import type { KnownDevice } from './queries.ts';
import { findNamedDevices } from './queries.ts';
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import { explainDenial } from '../../access.ts';

type FoundDevice = KnownDevice | 'unknown' | 'ambiguous' | 'unnamed';

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
  if (deviceSerial) return single(await findNamedDevices(db, caller, right, { serial: deviceSerial }));
  if (!deviceName) return 'unnamed';
  const byName = await findNamedDevices(db, caller, right, { name: deviceName });
  if (byName.length > 0) return single(byName);
  return single(await findNamedDevices(db, caller, right, { serial: deviceName }));
}

/** For operations on one device that is named in the body. Throws 404 if the caller may read no such device. */
export async function requireDeviceNamed(db: Db, caller: Caller, right: Right, names: DeviceNames): Promise<number> {
  return (await requireNamed(db, caller, right, names)).deviceID;
}

/** The same for callers who do more if they may write the device. */
export const requireReadableDevice = (db: Db, caller: Caller, names: DeviceNames): Promise<KnownDevice> =>
  requireNamed(db, caller, 'read', names);

async function requireNamed(db: Db, caller: Caller, right: Right, names: DeviceNames): Promise<KnownDevice> {
  const found = await findDeviceByNames(db, caller, right, names);
  if (typeof found === 'object') return found;
  const name = names.deviceSerial || names.deviceName || '';
  if (found === 'unnamed')
    throw invalidField('deviceSerial', 'is required, unless the request names the device in another way');
  if (found === 'ambiguous') throw conflict(`Several devices are named ${name}; name it by deviceSerial.`);
  throw notFound('device', name);
}

export function single(devices: readonly KnownDevice[]): FoundDevice {
  const [device] = devices;
  if (device === undefined) return 'unknown';
  return devices.length > 1 ? 'ambiguous' : device;
}

/** For reports of devices. Throws 404 if the caller may read no such device, 403 if the caller may only read it. */
export async function requireReportingDevice(db: Db, caller: Caller, names: DeviceNames): Promise<number> {
  const { deviceID, mayWrite } = await requireReadableDevice(db, caller, names);
  if (!mayWrite) throw forbidden(explainDenial('device', 'write'));
  return deviceID;
}
