import {
  findHealthValues,
  removeOldHealth,
  selectChart,
  selectHealth,
  selectHealthRows,
} from '@earshot/server/features/device-health/queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing, rowsRead } from '../../audio-clip/tests/plans.ts';
import { addDevice } from '../../event/tests/fleet.ts';

/** A report a minute for 5 devices: two weeks each. */
const reportsOfDevice = 20_000;

let server: TestServer;
let caller: Caller;
let deviceID: number;
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  caller = { userID: person.userID, role: 'member', credential: 'test' };
  for (let device = 0; device < 5; device += 1) {
    deviceID = (await addDevice(person.session)).deviceID;
    await server.db`
      insert into device_health (device_id, health_date, health_json, battery_percent)
      select ${deviceID}, now() - n * interval '1 minute', repeat('{"a":1}', 100), n % 100
      from generate_series(1, ${reportsOfDevice}::int) n`;
  }
  await server.db`vacuum analyze device_health`;
});
afterAll(() => server.stop());

const now = () => Math.floor(Date.now() / 1000);
const week = 7 * 86_400;

test.each<[string, number, (db: Pool) => Promise<unknown>]>([
  ['the latest values', 1, (db) => findHealthValues(db, caller, deviceID)],
  [
    'a list of a range',
    100,
    (db) =>
      selectHealth(db, caller, {
        deviceID,
        startEpoch: now() - week,
        endEpoch: now(),
        count: 100,
        ascending: true,
      }),
  ],
  ['the devices with their latest values', 5, (db) => selectHealthRows(db, caller, { onlineOnly: false, offset: 0 })],
  [
    'a chart of a week',
    200 * 60,
    (db) => selectChart(db, deviceID, 'batteryPercent', { startEpoch: now() - week, endEpoch: now(), parts: 200 }),
  ],
  ['the removal of old reports', 0, (db) => removeOldHealth(db, 30, 500)],
])('%s: no scan of all reports, and a bounded number of rows', async (_name, mostRows, query) => {
  const { db, sent } = openCapturing(server.databaseUrl);
  try {
    await query(db);
    const statement = sent.at(-1)!;
    for (const mode of ['custom', 'generic'] as const) {
      const { plan, lines } = await explain(db, statement, mode);
      expect(faultsOf(plan, mostRows), lines).toEqual([]);
      expect(rowsRead(plan), lines).toBeLessThanOrEqual(mostRows);
    }
  } finally {
    await db.end({ timeout: 1 });
  }
});
