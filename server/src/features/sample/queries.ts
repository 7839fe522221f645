import type { Db } from '../../platform/database/connect.ts';

export async function findSampleDevices(db: Db): Promise<number[]> {
  const rows = await db<{ deviceID: number }[]>`
    select device_id as "deviceID" from sample_devices order by device_id`;
  return rows.map(({ deviceID }) => deviceID);
}

export const markSampleDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`insert into sample_devices (device_id) values (${deviceID})`;

/** One request at a time makes samples, on all nodes. */
export const lockSamples = (tx: Db): Promise<unknown> => tx`lock table sample_devices in share row exclusive mode`;
