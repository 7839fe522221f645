import type { DevicePosition } from '@earshot/contract/device-position';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordActs } from '../../audit/public.ts';

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
      select d.key from devices d where d.key = ${deviceID} and ${deviceRight(db, caller, 'write')} for key share of d),
    told as (${recordActs(db, caller, 'device-changed', db`(select key, key as device_id from device)`)})
    insert into device_positions (device_id, latitude, longitude, accuracy, source, position_date)
    select device.key, ${latitude}::float8, ${longitude}::float8, ${accuracy}::float8, 'hand', now() from device
    on conflict (device_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
      accuracy = excluded.accuracy, source = excluded.source, position_date = excluded.position_date
    returning 1`;
  return rows.length === 1;
}

export async function removePosition(db: Db, caller: Caller, deviceID: number): Promise<void> {
  await db`
    with gone as (delete from device_positions where device_id = ${deviceID} returning device_id)
    ${recordActs(db, caller, 'device-changed', db`(select device_id as key, device_id from gone)`)}`;
}

export const lockPositionOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from device_positions where device_id = ${deviceID} for update`;

/**
 * Part of a statement that stores positions which a device measured. `rows` is a query for device_id, latitude,
 * longitude, accuracy and position_date. A position that was set by hand stays, and so does a newer one. The statement
 * must have locked the devices (docs/decisions/0020).
 */
export const storeMeasuredPosition = (db: Db, source: 'health' | 'file', rows: Fragment): Fragment => db`
  insert into device_positions as p (device_id, latitude, longitude, accuracy, source, position_date)
  select m.device_id, m.latitude, m.longitude, m.accuracy, ${source}, m.position_date from (${rows}) m
  on conflict (device_id) do update set latitude = excluded.latitude, longitude = excluded.longitude,
    accuracy = excluded.accuracy, source = excluded.source, position_date = excluded.position_date
  where p.source <> 'hand' and p.position_date <= excluded.position_date`;

/** The same for a position in the metadata of a file. The transaction must have locked the device. */
export async function storePositionOfFile(
  tx: Db,
  deviceID: number,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  date: Date,
): Promise<void> {
  const rows = tx`
    select ${deviceID}::bigint as device_id, ${latitude}::float8 as latitude, ${longitude}::float8 as longitude,
      null::float8 as accuracy, ${date}::timestamptz as position_date`;
  await tx`${storeMeasuredPosition(tx, 'file', rows)}`;
}
