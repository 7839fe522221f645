import type { Db, Fragment } from '../../platform/database/connect.ts';

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
