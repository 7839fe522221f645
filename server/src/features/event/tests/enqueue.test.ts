import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
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

const create = (more: object = {}) =>
  client.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot', ...more } });
const dequeue = (more: object = {}, takeID?: string) =>
  client.dequeueEvent({
    body: { deviceSerial: device.deviceSerial, agentType: 'Device', ...more },
    headers: takeHeader(takeID),
  });

describe('an enqueued event', () => {
  test('names its device by id or serial, its type by name in any case or by id', async () => {
    const { deviceID, deviceSerial } = device;
    const byName = await create({ eventType: 'rEBOOT', agentType: 'device' });
    const { eventTypeID = 0, agentTypeID = 0 } = byName;
    expect(await client.createEvent({ body: { deviceSerial, eventTypeID } })).toMatchObject({
      deviceID,
      eventTypeID,
      agentTypeID,
    });
    expect(await client.createEvent({ body: { deviceID, eventTypeID, agentTypeID } })).toMatchObject({ eventTypeID });
  });

  test('is pending, by default at priority 0, with one attempt, no expiration and empty parameters', async () => {
    const event = await create();
    expect(event).toMatchObject({
      eventStatus: 1,
      serverEvent: 0,
      priority: 0,
      attemptNumber: 0,
      maxAttempts: 1,
      expirationEpoch: 0,
      eventParameters: '{}',
    });
    for (const unset of ['agentID', 'processID', 'result', 'tagString', 'tagNumber'])
      expect(event).not.toHaveProperty(unset);
    expect(await create({ maxAttempts: 0, expirationEpoch: 0 })).toMatchObject({ maxAttempts: 1, expirationEpoch: 0 });
  });

  test('has the given values', async () => {
    const given = {
      priority: -4,
      maxAttempts: 7,
      expirationEpoch: 4_000_000_000,
      tagString: 'näht 🎧',
      tagNumber: -12,
      eventParameters: '{"a":[1]}',
    };
    const event = await create(given);
    expect(await client.getEvent({ params: { eventID: event.key ?? 0 } })).toMatchObject(given);
  });

  test.each(['', ' ', '{}', '{"nested":{"list":[1,null]}}', ' {"a":1} '])(
    'accepts the parameters %j',
    async (eventParameters) => {
      const event = await create({ eventParameters });
      expect(JSON.parse(event.eventParameters ?? '')).toEqual(JSON.parse(eventParameters.trim() || '{}'));
    },
  );

  test.each(['[]', 'null', '1', '"text"', 'true', '{', '{a:1}', 'hello', '{}{}'])(
    'refuses the parameters %j',
    async (eventParameters) => {
      await expect(create({ eventParameters })).rejects.toEqual(refusedWith(400, /eventParameters/));
    },
  );

  test.each([
    [{ eventType: 'Dance' }, 400, /eventType/],
    [{ eventType: undefined, eventTypeID: 999_999 }, 400, /eventTypeID/],
    [{ eventType: undefined }, 400, /eventType/],
    [{ agentType: 'Toaster' }, 400, /agentType/],
    [{ agentType: 'Audio' }, 400, /does not belong/],
    [{ agentTypeID: 2 }, 400, /does not belong/],
    [{ deviceID: 999_999_999 }, 404, /device/],
    [{ deviceID: undefined }, 400, /device/],
    [{ deviceID: undefined, deviceSerial: 'nobody' }, 404, /device/],
    [{ maxAttempts: -1 }, 400, /maxAttempts/],
    [{ expirationEpoch: -1 }, 400, /expirationEpoch/],
    [{ priority: 0.5 }, 400, /priority/],
  ])('is refused with %j', async (more, status, detail) => {
    await expect(create(more)).rejects.toEqual(refusedWith(status, detail));
  });

  test('never expires with expiration 0, and is timed out after any other', async () => {
    const never = await create();
    const late = await create({ expirationEpoch: 1 });
    const held = await create({ priority: 9, expirationEpoch: 4_000_000_000, maxAttempts: 5 });
    await dequeue();
    await server.db`update events set expiration_epoch = 1 where key = ${held.key ?? 0}`;
    const status = async (event: { key?: number }) =>
      (await client.getEvent({ params: { eventID: event.key ?? 0 } })).eventStatus;
    await expect.poll(() => status(late)).toBe(6);
    await expect.poll(() => status(held)).toBe(6);
    expect(await status(never)).toBe(1);
    const history = await client.listEventHistory({ params: { eventID: held.key ?? 0 } });
    expect(history.at(-1)).toMatchObject({ cause: 'expired', fromStatus: 2, toStatus: 6 });
    await expect(client.reportEvent({ params: { eventID: held.key ?? 0 }, body: { eventStatus: 4 } })).rejects.toEqual(
      refusedWith(409),
    );
  });
});

describe('a take', () => {
  test('is refused for unknown devices and agent types', async () => {
    await expect(dequeue({ agentType: 'Toaster' })).rejects.toEqual(refusedWith(400, /agentType/));
    await expect(dequeue({ deviceSerial: 'nobody' })).rejects.toEqual(refusedWith(404));
    await expect(dequeue({}, 'no-uuid')).rejects.toEqual(refusedWith(400));
  });

  test('takes only events of its agent type, and creates the agent', async () => {
    const event = await create({ eventType: 'Start_recording' });
    expect(await dequeue()).toBeUndefined();
    const taken = await dequeue({ agentType: 'AUDIO', agentIndex: 3, processID: 12 });
    expect(taken).toMatchObject({ key: event.key, processID: 12 });
    expect(await client.getAgent({ params: { agentID: taken.agentID ?? 0 } })).toMatchObject({
      agentIndex: 3,
      processID: 12,
      currentEventID: event.key,
    });
  });

  test('an agent may hold several events; its current one is the last that has not ended', async () => {
    const events = [await create(), await create(), await create()];
    for (const _ of events) await dequeue();
    const agentID = (await client.getEvent({ params: { eventID: events[0]?.key ?? 0 } })).agentID ?? 0;
    const current = async () => (await client.getAgent({ params: { agentID } })).currentEventID;
    const finish = (index: number) =>
      client.reportEvent({ params: { eventID: events[index]?.key ?? 0 }, body: { eventStatus: 4 } });
    expect(await current()).toBe(events[2]?.key);
    await finish(1);
    expect(await current()).toBe(events[2]?.key);
    await finish(2);
    expect(await current()).toBe(events[0]?.key);
    await client.cancelEvent({ params: { eventID: events[0]?.key ?? 0 } });
    expect(await current()).toBeUndefined();
  });

  test('under a take id that another agent uses is refused, also concurrently', async () => {
    await Promise.all([create(), create(), create({ eventType: 'Start_recording' })]);
    const takeID = randomUUID();
    await dequeue({ agentIndex: 0 }, takeID);
    await expect(dequeue({ agentIndex: 1 }, takeID)).rejects.toEqual(refusedWith(409));
    await expect(dequeue({ agentType: 'Audio' }, takeID)).rejects.toEqual(refusedWith(409));
    const shared = randomUUID();
    const answers = await Promise.allSettled([
      dequeue({ agentIndex: 0 }, shared),
      dequeue({ agentType: 'Audio' }, shared),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 409 } });
  });

  test('that is repeated while the first is under way takes the same event, also for an agent that was never seen', async () => {
    for (let round = 0; round < 20; round += 1) {
      device = await addDevice(client, { deviceName: 'North gate' });
      await Promise.all([create(), create(), create()]);
      const takeID = randomUUID();
      const taken = await Promise.all([dequeue({}, takeID), dequeue({}, takeID), dequeue({}, takeID)]);
      expect(new Set(taken.map(({ key }) => key)).size).toBe(1);
    }
  });

  test('the same take id in another notation is the same, and returns an ended event too', async () => {
    const event = await create();
    await create();
    const takeID = randomUUID();
    await dequeue({}, takeID);
    const params = { eventID: event.key ?? 0 };
    await client.reportEvent({ params, headers: takeHeader(takeID.toUpperCase()), body: { eventStatus: 4 } });
    expect(await dequeue({}, takeID.replaceAll('-', ''))).toMatchObject({ key: event.key, eventStatus: 4 });
  });
});

test('removing a device removes its events', async () => {
  const { key = 0 } = await create();
  await client.deleteDevice({ params: { deviceID: device.deviceID } });
  await expect(client.getEvent({ params: { eventID: key } })).rejects.toEqual(refusedWith(404));
  await expect(client.listEventHistory({ params: { eventID: key } })).rejects.toEqual(refusedWith(404));
});
