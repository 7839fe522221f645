import type { Client } from '@earshot/client/client';
import type { EventPage, EventPageFilter } from '@earshot/contract/event-page';
import { eventStatuses } from '@earshot/contract/event-status';
import { findEventPage } from '@earshot/server/features/event/list/pages';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing } from '../../audio-clip/tests/plans.ts';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith } from './fleet.ts';

let server: TestServer;
let client: Client;
let device: Device;
let keys: number[];

/** Events with the same creation time, in every status. */
async function enqueueAtOnce(deviceID: number, count: number, minutesAgo = 5): Promise<number[]> {
  const rows = await server.db<{ key: number }[]>`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
    select ${deviceID}, 5, 5, 0, 1 + n % 7, date_trunc('day', now()) - make_interval(mins => ${minutesAgo})
      + interval '123456 microseconds'
    from generate_series(1, ${count}::int) n returning key`;
  return rows.map(({ key }) => key);
}

beforeAll(async () => {
  server = await startTestServer();
  client = (await (await server.addPerson()).withKey()).client;
  device = await addDevice(client);
  keys = await enqueueAtOnce(device.deviceID, 1_000);
});
afterAll(() => server.stop());

const keysOf = ({ results }: EventPage): number[] => results.map(({ key = 0 }) => key);

async function walk(filter: EventPageFilter, way: 'next' | 'previous', after: () => Promise<unknown> = async () => {}) {
  let page = await client.listEventPage({ body: filter });
  const pages = [keysOf(page)];
  for (let cursor = page[way]; cursor !== undefined; cursor = page[way]) {
    await after();
    page = await client.listEventPage({ body: { ...filter, cursor } });
    pages.push(keysOf(page));
  }
  return { pages, last: page };
}

test.each(['asc', 'desc'])(
  '%s: 1,000 events of the same time are each listed once, forwards and backwards, while others are added',
  async (order) => {
    const sorted = order === 'asc' ? keys : keys.toReversed();
    const known = new Set(keys);
    const addOthers = async () => {
      await enqueueAtOnce(device.deviceID, 3);
      await enqueueAtOnce(device.deviceID, 2, 4);
      await enqueueAtOnce(device.deviceID, 2, 6);
    };
    const filter = { order, count: 90 };
    const there = await walk(filter, 'next', addOthers);
    expect(there.pages.flat().filter((key) => known.has(key))).toEqual(sorted);
    expect(new Set(there.pages.flat()).size).toBe(there.pages.flat().length);
    const back = await walk({ ...filter, cursor: there.last.previous ?? '' }, 'previous', addOthers);
    const seen = [...back.pages.toReversed(), keysOf(there.last)].flat();
    expect(seen.filter((key) => known.has(key))).toEqual(sorted);
    expect(new Set(seen).size).toBe(seen.length);
  },
);

test('a page shows the same as the list, in each state', async () => {
  for (const state of [undefined, 'open', 'failed', 'ended'] as const) {
    const filter = state === undefined ? {} : { eventState: state };
    const listed = await client.listEvents({ body: { ...filter, count: 1_000 } });
    const { results } = await client.listEventPage({ body: { ...filter, count: 1_000 } });
    expect(results).toEqual(listed);
    for (const { eventStatus, eventStatusName } of results.slice(0, 50)) {
      expect(eventStatusName).toBe(eventStatuses.find(({ key }) => key === eventStatus)?.name);
    }
  }
});

test("a page shows the work of devices, or the platform's own, in each state", async () => {
  const { deviceID } = await addDevice(client);
  await server.db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status)
    select ${deviceID}, 5, 5, n % 2, 1 + n % 7 from generate_series(1, 40) n`;
  for (const eventState of [undefined, 'open', 'failed', 'ended'] as const) {
    const list = async (serverEvent?: number) => {
      const given = { ...(eventState ? { eventState } : {}), ...(serverEvent === undefined ? {} : { serverEvent }) };
      return (await client.listEventPage({ body: { deviceID, ...given } })).results;
    };
    const all = await list();
    for (const serverEvent of [0, 1]) {
      const wanted = all.filter((event) => event.serverEvent === serverEvent);
      expect(wanted.length).toBeGreaterThan(0);
      expect(await list(serverEvent)).toEqual(wanted);
    }
  }
  await expect(client.listEventPage({ body: { serverEvent: 2 } })).rejects.toEqual(refusedWith(400, /serverEvent/));
});

test('a person without access sees nothing, and a wrong cursor is refused with the field name', async () => {
  const stranger = (await server.addPerson()).session;
  const { next = '' } = await client.listEventPage({ body: { count: 5 } });
  expect(await stranger.listEventPage({ body: { cursor: next } })).toMatchObject({ results: [] });
  const body = { deviceID: device.deviceID };
  await expect(stranger.listEventPage({ body })).rejects.toEqual(refusedWith(404));
  await expect(client.listEventPage({ body: { cursor: 'x' } })).rejects.toEqual(refusedWith(400, /cursor/));
});

test('a page far back is read along the index', async () => {
  const { db, sent } = openCapturing(server.databaseUrl);
  const explaining = openCapturing(server.databaseUrl).db;
  await server.db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
    select ${device.deviceID}, 5, 5, 0, case when n % 100 = 0 then 5 else 4 end, now() - make_interval(mins => n)
    from generate_series(1, 20000) n`;
  await server.db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
    select ${device.deviceID}, 5, 5, 1, 4, now() - make_interval(mins => n) from generate_series(1, 20000) n`;
  await server.db`vacuum analyze events`;
  const [far] = await server.db<{ time: number; key: number }[]>`
    select (extract(epoch from creation_date) * 1000000)::bigint as time, key from events where server_event = 0
    order by creation_date, key offset 2000 limit 1`;
  const cursor = Buffer.from(`1 a ${far?.time} ${far?.key}`).toString('base64url');
  for (const role of ['admin', 'member'] as const) {
    const userID = role === 'admin' ? server.admin.userID : ((await client.getDevice({ params: device })).userID ?? 0);
    for (const state of [{}, { serverEvent: 0 }, { eventState: 'failed' }, { eventState: 'ended' }] as const) {
      sent.length = 0;
      const page = await findEventPage(db, { userID, role, credential: 'test' }, { ...state, cursor, count: 20 });
      expect(page.results).toHaveLength(20);
      for (const statement of sent.filter(
        ({ text }) => text.includes('from (select * from events') || text.includes('lateral'),
      )) {
        const { plan, lines } = await explain(explaining, statement, 'custom');
        expect(faultsOf(plan, 500), lines).toEqual([]);
      }
    }
  }
  await Promise.all([db.end({ timeout: 1 }), explaining.end({ timeout: 1 })]);
});
