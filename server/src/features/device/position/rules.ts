import type { DevicePosition, DevicePositionUpdate } from '@earshot/contract/device-position';
import { invalidField, notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import { findPosition, putPosition, removePosition } from './queries.ts';

export async function readDevicePosition(db: Db, caller: Caller, deviceID: number): Promise<DevicePosition> {
  const position = await findPosition(db, caller, deviceID);
  if (!position) throw notFound('device', deviceID);
  return position;
}

export async function changePosition(
  db: Db,
  caller: Caller,
  deviceID: number,
  { latitude, longitude, accuracy = null }: DevicePositionUpdate,
): Promise<DevicePosition> {
  if ((latitude === null) !== (longitude === null)) {
    throw invalidField(latitude === null ? 'latitude' : 'longitude', 'must be null only if the other one is null too');
  }
  await requireDevice(db, caller, 'write', deviceID);
  if (latitude === null || longitude === null) await removePosition(db, caller, deviceID);
  else if (!(await putPosition(db, caller, deviceID, { latitude, longitude, accuracy }))) {
    throw notFound('device', deviceID);
  }
  return readDevicePosition(db, caller, deviceID);
}
