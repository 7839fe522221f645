import { findEvents } from '@earshot/server/features/event/rules';
import type { Reporter } from '@earshot/server/features/event/transition/report-queries';
import { complete, fail, recordProgress } from '@earshot/server/features/event/transition/report-queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing, rowsRead } from '../../audio-clip/tests/plans.ts';
import { addDevice } from './fleet.ts';

// Nearly all events have ended successfully: open and failed ones are found without reading these.

const events = 20_000;
const most = 500;
let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
/** A separate pool, because it does not keep prepared statements. */
let explaining: Pool;
let deviceID: number;
const callers: Record<'admin' | 'member', Caller> = {
  admin: { userID: 0, role: 'admin', credential: 'test' },
  member: { userID: 0, role: 'member', credential: 'test' },
};
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  callers.admin = { ...callers.admin, userID: server.admin.userID };
  callers.member = { ...callers.member, userID: person.userID };
  const devices = [await addDevice(person.session), await addDevice(server.admin.session)];
  deviceID = devices[0]!.deviceID;
  await server.db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
    select (${devices.map((device) => device.deviceID)}::bigint[])[1 + n % 2], 5, 5, n / 1000 % 2,
      case n % 1000 when 0 then 1 when 1 then 2 when 2 then 3 when 3 then 5 when 4 then 6 else 4 end,
      now() - make_interval(mins => n) from generate_series(1, ${events}) n`;
  await server.db`vacuum analyze`;
  capturing = openCapturing(server.databaseUrl);
  explaining = openCapturing(server.databaseUrl).db;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await explaining.end({ timeout: 1 });
  await server.stop();
});

describe.each(['open', 'failed', 'ended', undefined] as const)('events that are %s', (eventState) => {
  test.each(['admin', 'member'] as const)('for %s', async (who) => {
    for (const asked of [{}, { deviceID }]) {
      capturing.sent.length = 0;
      const state = eventState === undefined ? {} : { eventState };
      const found = await findEvents(capturing.db, callers[who], { ...asked, ...state, count: 20 });
      expect(found.length).toBeGreaterThanOrEqual(10);
      const [statement, ...others] = capturing.sent.filter(({ text }) => text.includes('events'));
      expect(others).toEqual([]);
      for (const mode of ['custom', 'generic'] as const) {
        const { plan, lines } = await explain(explaining, statement!, mode);
        expect(faultsOf(plan, most), lines).toEqual([]);
      }
    }
  });
});

describe('the report of a holder reads no other events', () => {
  const times = { leaseSeconds: 300, retrySeconds: 5 };
  const moves = {
    progress: (db, eventID, reporter) => recordProgress(db, eventID, {}, times, reporter.caller, reporter),
    complete: (db, eventID, reporter) => complete(db, eventID, {}, reporter.caller, reporter),
    fail: (db, eventID, reporter) => fail(db, eventID, {}, times, reporter.caller, reporter),
  } satisfies Record<string, (db: Pool, eventID: number, reporter: Reporter) => Promise<unknown>>;

  test.each(['admin', 'member'] as const)('for %s', async (who) => {
    for (const move of Object.values(moves)) {
      const [held] = await server.db<{ key: number }[]>`
        select key from events where device_id = ${deviceID} and event_status = 3 and server_event = 0 limit 1`;
      capturing.sent.length = 0;
      expect(await move(capturing.db, held!.key, { caller: callers[who], processID: null })).toBeDefined();
      await server.db`update events set event_status = 3 where key = ${held!.key}`;
      for (const mode of ['custom', 'generic'] as const) {
        const { plan, lines } = await explain(explaining, capturing.sent[0]!, mode);
        expect(faultsOf(plan, most), lines).toEqual([]);
        expect(rowsRead(plan), lines).toBeLessThanOrEqual(3);
      }
    }
  });
});
