import { builtInEventTypes } from '@earshot/contract/event-type';
import { takeServerEvent } from '@earshot/server/features/event/take/queries';
import { claimPostbacks } from '@earshot/server/features/event/postback/queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing } from '../../audio-clip/tests/plans.ts';
import { addDevice } from './fleet.ts';

// One owner has thousands of waiting events and due postbacks, two others have one each. The next turn is found without
// reading all of them.

const many = 20_000;
const most = 500;
const eventTypeID = builtInEventTypes.findIndex(({ name }) => name === 'Concatenate_audio_clips') + 1;
const times = { leaseSeconds: 300, retrySeconds: 5 };
let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
let explaining: Pool;
let devices: number[];
beforeAll(async () => {
  server = await startTestServer({ role: 'server' });
  const owners = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
  devices = [];
  for (const { session } of owners) devices.push((await addDevice(session)).deviceID);
  await server.db`
    insert into events (device_id, agent_type_id, event_type_id, server_event)
    select (${devices}::bigint[])[case when n > 2 then 1 else n + 1 end], 4, ${eventTypeID}, 1
    from generate_series(1, ${many}) n`;
  // No node delivers them.
  await server.node.stop();
  await server.db`
    with ended as (
      insert into events (device_id, agent_type_id, event_type_id, event_status, postback_url)
      select (${devices}::bigint[])[case when n > 2 then 1 else n + 1 end], 1, 7, 7, 'http://inside.example.org/'
      from generate_series(1, ${many}) n returning key)
    insert into postbacks (event_id, next_attempt_date) select key, now() - interval '1 hour' from ended`;
  await server.db`vacuum analyze`;
  capturing = openCapturing(server.databaseUrl);
  explaining = openCapturing(server.databaseUrl).db;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await explaining.end({ timeout: 1 });
  await server.stop();
});

async function expectGoodPlans(): Promise<void> {
  for (const statement of capturing.sent.filter(({ text }) => /events|postbacks/.test(text))) {
    for (const mode of ['custom', 'generic'] as const) {
      const { plan, lines } = await explain(explaining, statement, mode);
      expect(faultsOf(plan, most), lines).toEqual([]);
    }
  }
}

test('the next event of the platform is taken', async () => {
  const taken: (number | undefined)[] = [];
  let lastOwnerID = 0;
  for (const takeID of [1, 2, 3, 4]) {
    capturing.sent.length = 0;
    const worker = { processID: 1, takeID: `00000000-0000-4000-8000-00000000000${takeID}` };
    const next = await takeServerEvent(capturing.db, { eventTypeID }, worker, times, { lastOwnerID });
    taken.push(next?.event.deviceID);
    lastOwnerID = next?.ownerID ?? 0;
    expect(capturing.sent.filter(({ text }) => text.includes('events'))).toHaveLength(2);
    // Explaining the statement takes another event with the same id.
    await server.db`update events set take_id = null where take_id is not null`;
    await expectGoodPlans();
  }
  expect(taken).toEqual([...devices, devices[0]]);
});

test('postbacks are claimed', async () => {
  const places = { free: 20, perOwner: 5, perHost: 20, perOwnerAndHost: 5, running: [] };
  capturing.sent.length = 0;
  const claimed = await claimPostbacks(capturing.db, places, 60);
  const claimedOf = (deviceID: number) => claimed.filter(({ event }) => event.deviceID === deviceID).length;
  expect(devices.map(claimedOf)).toEqual([5, 1, 1]);
  await expectGoodPlans();
});
