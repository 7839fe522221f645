import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { endLeases } from '@earshot/server/features/event/transition/queries';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith, takeHeader } from './fleet.ts';

const times = { leaseSeconds: 300, retrySeconds: 8 };
let server: TestServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await startTestServer({ eventTimes: times });
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const enqueue = async (more: object = {}) =>
  (await client.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot', ...more } })).key ?? 0;
const agent = (agentIndex = 0) => ({ deviceSerial: device.deviceSerial, agentType: 'Device', agentIndex });
const dequeue = (more: { agentIndex?: number; processID?: number; takeID?: string } = {}) => {
  const { takeID, agentIndex = 0, processID = 1 } = more;
  return client.dequeueEvent({ body: { ...agent(agentIndex), processID }, headers: takeHeader(takeID) });
};
const report = (eventID: number, body: object, takeID?: string) =>
  client.reportEvent({ params: { eventID }, body, headers: takeHeader(takeID) });
const read = (eventID: number) => client.getEvent({ params: { eventID } });
const causes = async (eventID: number) =>
  (await client.listEventHistory({ params: { eventID } })).map(({ cause }) => cause);

/** As if the holder had been silent for this long. */
async function fallSilent(eventID: number, seconds: number): Promise<void> {
  await server.db`
    with event as (
      update events set lease_end_date = lease_end_date - make_interval(secs => ${seconds}) where key = ${eventID}
      returning agent_id)
    update agents a set last_heard_from_date = a.last_heard_from_date - make_interval(secs => ${seconds})
    from event where a.key = event.agent_id`;
}
async function secondsOfLeaseLeft(eventID: number): Promise<number> {
  const [row] =
    await server.db`select extract(epoch from lease_end_date - now())::float as left from events where key = ${eventID}`;
  return Number(row?.['left']);
}
/** The delay after the last failure, from its own statement: reading the clock later would measure the machine. */
async function delayOf(eventID: number): Promise<number> {
  const [row] = await server.db`
    select extract(epoch from e.ready_date - t.transition_date)::float as seconds from events e
    join event_transitions t on t.event_id = e.key
    where e.key = ${eventID} and t.cause = 'failed' order by t.transition_date desc limit 1`;
  return Number(row?.['seconds']);
}
async function secondsUntilReady(eventID: number): Promise<number> {
  const [row] =
    await server.db`select extract(epoch from ready_date - now())::float as left from events where key = ${eventID}`;
  return Number(row?.['left']);
}
const makeReady = (eventID: number) => server.db`update events set ready_date = now() where key = ${eventID}`;

/** Takes the next event and reports on it, so that it is processing. */
const begin = async (more: Parameters<typeof dequeue>[0] = {}) => {
  const event = await dequeue(more);
  await report(event?.key ?? 0, { percentComplete: 1 });
};

describe('a lease', () => {
  const calls: Record<string, (eventID: number) => Promise<unknown>> = {
    'registering again': () => client.registerAgent({ body: { ...agent(), processID: 1 } }),
    'a report on the agent': async (eventID) =>
      client.updateAgent({ params: { agentID: (await read(eventID)).agentID ?? 0 }, body: { recentOutput: 'busy' } }),
    'a patch of the agent': async (eventID) =>
      client.patchAgent({
        params: { agentID: (await read(eventID)).agentID ?? 0 },
        body: [{ op: 'add', path: '/recentOutput', value: 'x' }],
      }),
    'a poll that names the agent': () => client.listPendingEvents({ body: agent() }),
    'a take that finds nothing': () => dequeue(),
    'a take that finds an event': async () => {
      await enqueue();
      await dequeue();
    },
  };

  test.each(Object.entries(calls))('of an event that is processing is renewed by %s', async (_name, call) => {
    const eventID = await enqueue();
    await begin();
    await fallSilent(eventID, 200);
    expect(await secondsOfLeaseLeft(eventID)).toBeLessThan(102);
    await call(eventID);
    expect(await secondsOfLeaseLeft(eventID)).toBeGreaterThan(200);
  });

  // The response to the take may have been lost: then the agent continues to poll and does not know the event.
  test.each(Object.entries(calls))('of a checked-out event is not renewed by %s', async (_name, call) => {
    const eventID = await enqueue();
    await dequeue();
    await fallSilent(eventID, 200);
    await call(eventID);
    expect(await secondsOfLeaseLeft(eventID)).toBeLessThan(102);
  });

  test.each([2, 3])('is renewed by a report on its event, at status %i', async (eventStatus) => {
    const eventID = await enqueue();
    await dequeue();
    await fallSilent(eventID, 200);
    await report(eventID, { eventStatus });
    expect(await secondsOfLeaseLeft(eventID)).toBeGreaterThan(200);
    await fallSilent(eventID, 200);
    await client.reportEventProgress({ params: { eventID }, body: { percentComplete: 1 } });
    expect(await secondsOfLeaseLeft(eventID)).toBeGreaterThan(200);
  });

  test('is not renewed by a report on another event of its agent', async () => {
    const eventID = await enqueue();
    await begin();
    const other = await enqueue();
    await dequeue();
    await fallSilent(eventID, 200);
    await report(other, { percentComplete: 1 });
    await report(other, { eventStatus: 4 });
    expect(await secondsOfLeaseLeft(eventID)).toBeLessThan(102);
  });

  test('is written once for calls in quick succession, and is never shorter than configured', async () => {
    const eventID = await enqueue();
    await begin();
    const end = async () => (await server.db`select lease_end_date from events where key = ${eventID}`)[0];
    await server.db`update events set lease_end_date = now() + interval '300.9 seconds' where key = ${eventID}`;
    const before = await end();
    await client.listPendingEvents({ body: agent() });
    expect(await end()).toEqual(before);
    expect(await secondsOfLeaseLeft(eventID)).toBeGreaterThan(times.leaseSeconds - 30);
  });

  test('is renewed at the start of a long poll that names its agent', async () => {
    const eventID = await enqueue();
    await begin();
    await fallSilent(eventID, 200);
    const waiting = client.longPollEvents({ body: agent() });
    await expect.poll(() => secondsOfLeaseLeft(eventID)).toBeGreaterThan(200);
    await enqueue();
    await waiting;
  });

  test('is not renewed by another agent of the device, nor by reading the event', async () => {
    const eventID = await enqueue();
    await begin();
    await fallSilent(eventID, 200);
    await dequeue({ agentIndex: 1 });
    await client.listPendingEvents({ body: agent(1) });
    await read(eventID);
    expect(await secondsOfLeaseLeft(eventID)).toBeLessThan(102);
  });

  test('is not renewed by a later process than the one that took the event', async () => {
    const eventID = await enqueue();
    await begin({ processID: 1 });
    await fallSilent(eventID, 200);
    await dequeue({ processID: 2 });
    expect(await secondsOfLeaseLeft(eventID)).toBeLessThan(102);
  });

  test('that ends while attempts are left: pending after a delay, without a holder', async () => {
    const eventID = await enqueue({ maxAttempts: 2 });
    const { agentID = 0 } = await dequeue();
    await fallSilent(eventID, 301);
    await endLeases(server.db, times, 500);
    const event = await read(eventID);
    expect(event).toMatchObject({ eventStatus: 1, attemptNumber: 1 });
    expect(event).not.toHaveProperty('agentID');
    expect(event).not.toHaveProperty('processID');
    expect(await client.getAgent({ params: { agentID } })).not.toHaveProperty('currentEventID');
    expect(await secondsUntilReady(eventID)).toBeGreaterThan(0);
    expect(await dequeue()).toBeUndefined();
    expect(await causes(eventID)).toEqual(['enqueued', 'taken', 'lease lost']);
    await expect(report(eventID, { eventStatus: 4 })).rejects.toEqual(refusedWith(409));
  });

  test('that ends on the last attempt: timed out', async () => {
    const eventID = await enqueue();
    await dequeue();
    await fallSilent(eventID, 301);
    await endLeases(server.db, times, 500);
    expect(await read(eventID)).toMatchObject({ eventStatus: 6, attemptNumber: 1 });
  });

  test('ends without any request', async () => {
    const eventID = await enqueue();
    await dequeue();
    await fallSilent(eventID, 301);
    await expect.poll(() => read(eventID)).toMatchObject({ eventStatus: 6 });
    expect((await client.listEventHistory({ params: { eventID } })).at(-1)).not.toHaveProperty('userID');
  });
});

describe('a failed attempt', () => {
  test('is retried after a delay that doubles each time, varies by a quarter, and is at most about ten minutes', async () => {
    const eventID = await enqueue({ maxAttempts: 12 });
    for (const expected of [8, 16, 32, 64, 128, 256, 512, 600, 600]) {
      await makeReady(eventID);
      await dequeue();
      await report(eventID, { eventStatus: 5 });
      const seconds = await delayOf(eventID);
      expect(seconds).toBeGreaterThanOrEqual(expected * 0.75);
      expect(seconds).toBeLessThanOrEqual(expected * 1.25);
    }
  });

  test('has a random delay', async () => {
    const waits = new Set<number>();
    for (let count = 0; count < 4; count++) {
      const eventID = await enqueue({ maxAttempts: 2 });
      await dequeue();
      await report(eventID, { eventStatus: 5 });
      waits.add(await delayOf(eventID));
    }
    expect(waits.size).toBeGreaterThan(1);
  });

  test('reported again with its take, because the response was lost, counts once', async () => {
    const eventID = await enqueue({ maxAttempts: 3 });
    const takeID = randomUUID();
    await dequeue({ takeID });
    await report(eventID, { eventStatus: 5, result: 'no' }, takeID);
    expect(await report(eventID, { eventStatus: 5, result: 'no' }, takeID)).toMatchObject({
      eventStatus: 1,
      attemptNumber: 1,
    });
    expect(await causes(eventID)).toEqual(['enqueued', 'taken', 'failed']);
  });
});

test('an event that waits for its delay is not taken, also not with the take id that took it before', async () => {
  const eventID = await enqueue({ maxAttempts: 3 });
  const takeID = randomUUID();
  await dequeue({ takeID });
  await report(eventID, { eventStatus: 5 }, takeID);
  expect(await dequeue({ takeID })).toBeUndefined();
  await makeReady(eventID);
  expect(await dequeue({ takeID })).toMatchObject({ key: eventID, attemptNumber: 2 });
});

describe('a replaced process', () => {
  test('releases its events at once, also if its successor took an event before it registered', async () => {
    const first = await enqueue({ maxAttempts: 2 });
    await dequeue({ processID: 1 });
    const second = await enqueue();
    await dequeue({ processID: 2 });
    expect(await client.registerAgent({ body: { ...agent(), processID: 2 } })).toMatchObject({
      currentEventID: second,
    });
    expect(await read(first)).toMatchObject({ eventStatus: 1 });
    expect(await dequeue({ processID: 2 })).toMatchObject({ key: first, attemptNumber: 2 });
  });

  test('without attempts left: timed out', async () => {
    const eventID = await enqueue();
    await dequeue({ processID: 1 });
    await client.registerAgent({ body: { ...agent(), processID: 2 } });
    expect(await read(eventID)).toMatchObject({ eventStatus: 6 });
    expect((await client.listEventHistory({ params: { eventID } })).at(-1)).toMatchObject({
      cause: 'process replaced',
    });
  });

  test('of another agent: nothing is released', async () => {
    const eventID = await enqueue();
    await dequeue({ agentIndex: 0, processID: 1 });
    await client.registerAgent({ body: { ...agent(1), processID: 2 } });
    await client.registerAgent({ body: { ...agent(0) } });
    expect(await read(eventID)).toMatchObject({ eventStatus: 2 });
  });
});
