import type { Db } from '../../../platform/database/connect.ts';

export async function isDisclosed(db: Db, deviceID: number): Promise<boolean> {
  return (await db`select 1 from disclosed_devices where device_id = ${deviceID}`).length > 0;
}

export async function disclose(tx: Db, userID: number, deviceID: number): Promise<void> {
  await tx`
    insert into disclosed_devices (device_id, disclosed_by) select key, ${userID}::bigint from devices where key = ${deviceID}
    on conflict do nothing`;
}

export async function conceal(tx: Db, deviceID: number): Promise<void> {
  await tx`delete from disclosed_devices where device_id = ${deviceID}`;
}
