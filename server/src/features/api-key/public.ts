import type { Db } from '../../platform/database/connect.ts';

/** Returns the people who created keys for the device. Their cached credentials must be invalidated. */
export async function removeKeysOfDevice(db: Db, deviceID: number): Promise<readonly number[]> {
  const rows = await db<{ userID: number }[]>`
    delete from api_keys where device_id = ${deviceID} returning user_id as "userID"`;
  return rows.map(({ userID }) => userID);
}
