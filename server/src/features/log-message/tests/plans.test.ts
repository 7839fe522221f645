import type { LineFilter } from '@earshot/server/features/log-message/queries';
import { removeOldLines, selectLines } from '@earshot/server/features/log-message/queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing, rowsRead } from '../../audio-clip/tests/plans.ts';
import { addDevice } from '../../event/tests/fleet.ts';

const linesOfDevice = 20_000;

let server: TestServer;
let caller: Caller;
let deviceID: number;
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  caller = { userID: person.userID, role: 'member', credential: 'test' };
  for (let device = 0; device < 5; device += 1) {
    deviceID = (await addDevice(person.session)).deviceID;
    // An error is rare.
    await server.db`
      insert into log_messages (device_id, level, message, message_date)
      select ${deviceID}, case when n % 5000 = 0 then 'error' else 'info' end, 'recorded clip ' || n,
        now() - n * interval '1 minute'
      from generate_series(1, ${linesOfDevice}::int) n`;
  }
  await server.db`vacuum analyze log_messages`;
});
afterAll(() => server.stop());

const newest: LineFilter = {
  deviceID: undefined,
  from: undefined,
  to: undefined,
  searchText: undefined,
  level: undefined,
  count: 50,
  ascending: false,
};

test.each<[string, number, (db: Pool) => Promise<unknown>]>([
  ['the newest lines of a device', 50, (db) => selectLines(db, caller, { ...newest, deviceID })],
  ['the newest lines of all devices', 250, (db) => selectLines(db, caller, newest)],
  ['the errors of a device', 50, (db) => selectLines(db, caller, { ...newest, deviceID, level: 'error' })],
  ['a search in all devices', 5_000, (db) => selectLines(db, caller, { ...newest, searchText: 'clip 19' })],
  ['the removal of old lines', 0, (db) => removeOldLines(db, 30, 500)],
])('%s: no scan of all lines, and a bounded number of rows', async (_name, mostRows, query) => {
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
