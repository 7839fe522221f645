import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { builtInEventTypes } from '@earshot/contract/event-type';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith, takeHeader } from './fleet.ts';

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await server.admin.withKey()).client;
});
beforeEach(async () => {
  device = await addDevice(client, { deviceName: 'North gate' });
});

const create = async (more: object = {}) =>
  (await client.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot', ...more } })).key ?? 0;
const take = (more: object = {}, takeID?: string) =>
  client.dequeueEvent({
    body: { deviceSerial: device.deviceSerial, agentType: 'Device', ...more },
    headers: takeHeader(takeID),
  });
const report = (eventID: number, body: object, takeID?: string) =>
  client.reportEvent({ params: { eventID }, body, headers: takeHeader(takeID) });
const read = (eventID: number) => client.getEvent({ params: { eventID } });

describe('a report', () => {
  test('changes only the given fields, and null counts as not given', async () => {
    const eventID = await create({ tagString: 'night', tagNumber: 1 });
    await take();
    await report(eventID, { percentComplete: 30, result: 'half' });
    expect(await read(eventID)).toMatchObject({
      eventStatus: 3,
      percentComplete: 30,
      result: 'half',
      tagString: 'night',
      tagNumber: 1,
    });
    const unset = null as unknown as undefined;
    await report(eventID, { tagNumber: 2, tagString: unset, result: unset });
    const event = await read(eventID);
    expect(event).toMatchObject({ percentComplete: 30, result: 'half', tagNumber: 2, tagString: 'night' });
  });

  test('may be the complete record, including the attempt number', async () => {
    const eventID = await create({ maxAttempts: 4, priority: 2 });
    const taken = await take({ processID: 5 });
    const answer = await report(eventID, {
      ...taken,
      attemptNumber: 99,
      maxAttempts: 1,
      priority: 8,
      eventStatus: 4,
      result: 'done',
    });
    expect(answer).toMatchObject({
      eventStatus: 4,
      attemptNumber: 1,
      maxAttempts: 4,
      priority: 2,
      result: 'done',
      processID: 5,
    });
  });

  test('with status checked out, as some clients send to renew, sets processing', async () => {
    const eventID = await create();
    await take();
    expect(await report(eventID, { eventStatus: 2 })).toMatchObject({ eventStatus: 3 });
  });

  test.each([0, 1, 6, 7, 8])('with status %i is refused, because a holder cannot set it', async (eventStatus) => {
    const eventID = await create();
    await take();
    await expect(report(eventID, { eventStatus })).rejects.toEqual(refusedWith(400, /eventStatus/));
  });

  test.each([-1, 101])('of %i percent is refused', async (percentComplete) => {
    const eventID = await create();
    await take();
    const params = { eventID };
    await expect(report(eventID, { percentComplete })).rejects.toEqual(refusedWith(400, /percentComplete/));
    await expect(client.reportEventProgress({ params, body: { percentComplete } })).rejects.toEqual(refusedWith(400));
  });

  test('on an event without a holder is refused, and so is one on an unknown event', async () => {
    await expect(report(await create(), { eventStatus: 4 })).rejects.toEqual(refusedWith(409));
    await expect(report(999_999_999, { eventStatus: 4 })).rejects.toEqual(refusedWith(404));
  });

  test('of a former take or process is refused after the event was taken again', async () => {
    const eventID = await create({ maxAttempts: 3 });
    const [first, second] = [randomUUID(), randomUUID()];
    await take({ processID: 1 }, first);
    await client.registerAgent({ body: { deviceSerial: device.deviceSerial, agentType: 'Device', processID: 2 } });
    await take({ processID: 2 }, second);
    await expect(report(eventID, { eventStatus: 4 }, first)).rejects.toEqual(refusedWith(409));
    await expect(report(eventID, { eventStatus: 4, processID: 1 })).rejects.toEqual(refusedWith(409));
    expect(await report(eventID, { eventStatus: 4, processID: 1 }, second)).toMatchObject({ eventStatus: 4 });
  });
});

describe('an ended event', () => {
  const ends: Record<string, (eventID: number) => Promise<unknown>> = {
    complete: (eventID) => report(eventID, { eventStatus: 4, result: 'done' }),
    error: (eventID) => report(eventID, { eventStatus: 5, result: 'done' }),
    cancelled: (eventID) => client.cancelEvent({ params: { eventID } }),
    'timed out': () =>
      client.registerAgent({ body: { deviceSerial: device.deviceSerial, agentType: 'Device', processID: 99 } }),
  };

  test.each(Object.entries(ends))('%s never changes again', async (name, end) => {
    const eventID = await create();
    await take({ processID: 1 });
    await end(eventID);
    const before = await read(eventID);
    const [listed] = await client.listEvents({ body: { deviceID: device.deviceID } });
    expect(listed).toMatchObject({ eventStatusName: name });
    const other = name === 'complete' ? 5 : 4;
    await expect(report(eventID, { eventStatus: other })).rejects.toEqual(refusedWith(409));
    await expect(report(eventID, { percentComplete: 5 })).rejects.toEqual(refusedWith(409));
    await expect(report(eventID, { eventStatus: before.eventStatus === 5 ? 5 : 4, result: 'else' })).rejects.toEqual(
      refusedWith(409),
    );
    await expect(client.reportEventProgress({ params: { eventID }, body: { percentComplete: 5 } })).rejects.toEqual(
      refusedWith(409),
    );
    await expect(client.cancelEvent({ params: { eventID } })).rejects.toEqual(refusedWith(409));
    expect(await take()).toBeUndefined();
    expect(await read(eventID)).toEqual(before);
  });

  test('accepts the same final report again', async () => {
    for (const eventStatus of [4, 5]) {
      const eventID = await create();
      const takeID = randomUUID();
      await take({}, takeID);
      const first = await report(eventID, { eventStatus, result: 'r' }, takeID);
      expect(await report(eventID, { eventStatus, result: 'r' }, takeID)).toEqual(first);
      expect(await client.listEventHistory({ params: { eventID } })).toHaveLength(3);
    }
  });
});

describe('the list', () => {
  test('has names, and is limited by dates and count, in either order, for one device or all', async () => {
    const keys = [await create(), await create(), await create()];
    for (const [index, key] of keys.entries()) {
      await server.db`update events set creation_date = timestamptz '2001-01-01T00:00:00Z' + make_interval(days => ${index}) where key = ${key}`;
    }
    const list = async (body: object) => (await client.listEvents({ body })).map(({ key }) => key);
    const { deviceID } = device;
    expect(await list({ deviceID })).toEqual(keys.toReversed());
    expect(await list({ deviceID, order: 'ASC' })).toEqual(keys);
    expect(await list({ deviceID, order: 'asc', count: 2 })).toEqual(keys.slice(0, 2));
    const [from, to] = ['2001-01-02T00:00:00Z', '2001-01-03T00:00:00Z'];
    expect(await list({ deviceID, startDate: from, endDate: to })).toEqual([keys[1]]);
    expect(await list({ startDate: '2000-12-31T00:00:00Z', endDate: '2001-01-05T00:00:00Z', order: 'asc' })).toEqual(
      keys,
    );
    const [first] = await client.listEvents({ body: { deviceID, count: 1 } });
    expect(first).toMatchObject({
      deviceName: 'North gate',
      eventType: 'Reboot',
      agentType: 'Device',
      eventStatusName: 'pending',
    });
    const states = async () => [
      await list({ deviceID, eventState: 'open' }),
      await list({ deviceID, eventState: 'failed' }),
      await list({ deviceID, eventState: 'ended' }),
    ];
    const [oldest, middle, newest] = keys;
    expect(await states()).toEqual([[newest, middle, oldest], [], []]);
    await server.db`update events set event_status = 5 where key = ${middle!}`;
    await server.db`update events set event_status = 7 where key = ${newest!}`;
    expect(await states()).toEqual([[oldest], [middle], [newest, middle]]);
    await server.db`update events set event_status = 3, server_event = 1 where key = ${oldest!}`;
    await server.db`update events set event_status = 6 where key = ${newest!}`;
    expect(await states()).toEqual([[oldest], [newest, middle], [newest, middle]]);
    const times = { startDate: '2000-12-31T00:00:00Z', endDate: from };
    expect(await list({ ...times, eventState: 'open' })).toEqual([oldest]);
    expect(await list({ ...times, eventState: 'ended' })).toEqual([]);
    await expect(list({ eventState: 'lost' })).rejects.toEqual(refusedWith(400, /eventState/));

    await expect(list({ deviceID: 999_999_999 })).rejects.toEqual(refusedWith(404));
    await expect(list({ count: 1001 })).rejects.toEqual(refusedWith(400, /count/));
    await expect(list({ startDate: to, endDate: from })).rejects.toEqual(refusedWith(400));
  });

  test('of states and types is complete', async () => {
    const statuses = await client.listEventStatuses();
    expect(statuses.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(statuses[5]).toEqual({ key: 6, eventStatusName: 'timed out' });
    const types = await client.listEventTypes();
    for (const { name, agentType } of builtInEventTypes) {
      expect(types).toContainEqual(expect.objectContaining({ eventTypeName: name, agentType }));
    }
  });
});

test('an admin can add an event type with a unique name, ignoring case', async () => {
  const name = `Calibrate_${randomUUID().slice(0, 8)}`;
  const { session } = server.admin;
  const type = await session.createEventType({
    body: { eventTypeName: name, agentType: 'audio', detailedDescription: 'a tone' },
  });
  expect(type).toMatchObject({ eventTypeName: name, agentType: 'Audio', detailedDescription: 'a tone' });
  expect(type.key).toBeGreaterThan(1000);
  expect(await client.listEventTypes()).toContainEqual(type);
  for (const eventTypeName of [name, name.toUpperCase(), 'reboot']) {
    const again = session.createEventType({ body: { eventTypeName, agentType: 'Audio' } });
    await expect(again).rejects.toEqual(refusedWith(409));
  }
  await expect(session.createEventType({ body: { eventTypeName: 'Other', agentType: 'Toaster' } })).rejects.toEqual(
    refusedWith(400),
  );
  const eventID = await create({ eventType: name.toLowerCase() });
  expect(await take({ agentType: 'Audio' })).toMatchObject({ key: eventID, eventTypeID: type.key });
});
