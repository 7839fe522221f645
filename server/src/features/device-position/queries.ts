import type { DevicePosition } from '@earshot/contract/device-position';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

const positionColumns = (db: Db): Fragment =>
  db`p.latitude, p.longitude, p.accuracy, p.source, p.position_date as "positionDate"`;

export async function findPosition(db: Db, caller: Caller, deviceID: number): Promise<DevicePosition | undefined> {
  const [row] = await db<DevicePosition[]>`
    select d.key as "deviceID", ${positionColumns(db)}
    from devices d left join device_positions p on p.device_id = d.key
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** False if the caller may not write to the device. */
export async function putPosition(
  db: Db,
  caller: Caller,
  deviceID: number,
  { latitude, longitude, accuracy }: { latitude: number; longitude: number; accuracy: number | null },
): Promise<boolean> {
  const rows = await db`
    with device as (
      select d.key from devices d where d.key = ${deviceID} and ${deviceRight(db, caller, 'write')} for key share of d)
    insert into device_positions (device_id, latitude, longitude, accuracy, source, position_date)
    select device.key, ${latitude}::float8, ${longitude}::float8, ${accuracy}::float8, 'hand', now() from device
    on conflict (device_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
      accuracy = excluded.accuracy, source = excluded.source, position_date = excluded.position_date
    returning 1`;
  return rows.length === 1;
}

export async function removePosition(db: Db, deviceID: number): Promise<void> {
  await db`delete from device_positions where device_id = ${deviceID}`;
}

export const lockPositionOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from device_positions where device_id = ${deviceID} for update`;
