import type { Client } from '@earshot/client/client';
import type { BulkFailure, BulkJob } from '@earshot/contract/bulk-job';
import { expect, vi } from 'vitest';
import type { Pool } from '../../../platform/database/connect.ts';
import { addDevice } from '../../event/tests/fleet.ts';

export async function addDevices(client: Client, count: number, more: object = {}): Promise<number[]> {
  const keys: number[] = [];
  for (let at = 1; at <= count; at += 1)
    keys.push((await addDevice(client, { deviceName: `Recorder ${at}`, ...more })).deviceID);
  return keys;
}

export const readJob = (client: Client, bulkJobID: number): Promise<BulkJob> =>
  client.getBulkJob({ params: { bulkJobID } });

/** Resolves when the job has ended. */
export async function ended(client: Client, { key }: BulkJob): Promise<BulkJob> {
  await expect.poll(async () => (await readJob(client, key)).state).not.toBe('running');
  return readJob(client, key);
}

export async function failuresOf(client: Client, { key }: BulkJob): Promise<readonly BulkFailure[]> {
  const page = await client.listBulkFailures({ params: { bulkJobID: key }, body: { count: 1_000 } });
  return page.results;
}

/** Runs `act` while the job waits for the device, in the middle of its change. */
export async function whileAt(
  db: Pool,
  deviceID: number,
  start: () => Promise<BulkJob>,
  act: (job: BulkJob) => Promise<unknown>,
): Promise<BulkJob> {
  return db.begin(async (tx) => {
    await tx`select 1 from devices where key = ${deviceID} for update`;
    const job = await start();
    await vi.waitUntil(async () => {
      // Outside of the transaction, which would see one moment for ever.
      const rows = await db`
        select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'earshot' and wait_event_type = 'Lock'`;
      return rows.length > 0;
    });
    await act(job);
    return job;
  });
}
