import { randomUUID } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Change, Stream } from './stream.ts';
import { openStream } from './stream.ts';

let server: TestServer;
let stream: Stream;
let deviceID: number;
let deviceSerial: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  deviceSerial = `d-${randomUUID()}`;
  deviceID = (await server.admin.session.createDevice({ body: { deviceSerial } })).key ?? 0;
  stream = await openStream(server.url, server.admin);
});
afterEach(() => stream.close());

const client = () => server.admin.session;
const register = () => client().registerAgent({ body: { deviceSerial, agentType: 'Device' } });
const readOnline = async () => (await client().getDevice({ params: { deviceID } })).online;

/** Moves the times of this device into the past by this much. */
async function passSeconds(seconds: number): Promise<void> {
  await server.db.begin(async (tx) => {
    const by = tx`make_interval(secs => ${seconds})`;
    await tx`update agents set last_heard_from_date = last_heard_from_date - ${by} where device_id = ${deviceID}`;
    await tx`update device_states set last_poll_date = last_poll_date - ${by} where device_id = ${deviceID}`;
    await tx`update online_devices set until = until - ${by}, since = since - ${by} where device_id = ${deviceID}`;
  });
}

const isDevice = ({ event, change, key }: Omit<Change, 'record'>) =>
  event === 'device' && change === 'changed' && key === deviceID;
const onlines = (from: Stream = stream) =>
  from.changes.filter(isDevice).map(({ record }) => record !== undefined && 'online' in record && record.online);
const untilOnline = (online: boolean, from: Stream = stream) =>
  from.until(
    ({ record, ...change }) =>
      isDevice(change) && record !== undefined && 'online' in record && record.online === online,
  );

/** Waits for two runs of the loops, which run every second. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2_500));

test('a device goes online with its first contact, offline without contact, and online again: one change each', async () => {
  expect(await readOnline()).toBe(false);
  await register();
  await untilOnline(true);
  await register();
  await client().listPendingEvents({ body: { deviceSerial } });
  await passSeconds(110);
  expect(await readOnline()).toBe(true);
  await settle();
  expect(onlines()).toEqual([true]);
  await passSeconds(11);
  expect(await readOnline()).toBe(false);
  await untilOnline(false);
  await settle();
  expect(onlines()).toEqual([true, false]);
  await register();
  await stream.until(() => onlines().length === 3);
  expect(onlines()).toEqual([true, false, true]);
});

test('contact keeps a device online without a change', async () => {
  await register();
  await untilOnline(true);
  for (let round = 0; round < 3; round += 1) {
    await passSeconds(100);
    await register();
  }
  // Contact before the time was up is noticed when it is.
  await passSeconds(60);
  await register();
  await passSeconds(70);
  await settle();
  expect(onlines()).toEqual([true]);
  expect(await readOnline()).toBe(true);
});

test('a poll counts as contact, and so does a waiting one', async () => {
  await client().listPendingEvents({ body: { deviceSerial } });
  await untilOnline(true);
  const { lastHeardFromDate } = await client().getDevice({ params: { deviceID } });
  expect(lastHeardFromDate).toBeDefined();
  await passSeconds(121);
  await untilOnline(false);
  const parked = client().longPollEvents({ body: { deviceSerial } });
  await stream.until(() => onlines().length === 3);
  await client().createEvent({ body: { deviceID, eventType: 'Reboot' } });
  expect(await parked).toHaveLength(1);
  expect(onlines()).toEqual([true, false, true]);
});

test('several nodes record a device going online once', async () => {
  const nodes = await Promise.all([server.addNode(), server.addNode()]);
  const there = await openStream(nodes[0]?.url ?? '', server.admin);
  await Promise.all([register(), register(), client().listPendingEvents({ body: { deviceSerial } })]);
  await untilOnline(true);
  await untilOnline(true, there);
  await passSeconds(121);
  await untilOnline(false);
  await untilOnline(false, there);
  await settle();
  expect(onlines()).toEqual([true, false]);
  expect(onlines(there)).toEqual([true, false]);
  there.close();
});

test('a device that went offline while no server ran is recorded after the start, another is not', async () => {
  const own = await startTestServer();
  try {
    const add = async () => {
      const serial = `d-${randomUUID()}`;
      const { key = 0 } = await own.admin.session.createDevice({ body: { deviceSerial: serial } });
      await own.admin.session.registerAgent({ body: { deviceSerial: serial, agentType: 'Device' } });
      return key;
    };
    const [silent, heard] = [await add(), await add()];
    const { credential } = await own.admin.withKey();
    const before = await openStream(own.url, { credential });
    await own.node.stop();
    await own.db`update agents set last_heard_from_date = now() - interval '130 seconds' where device_id = ${silent}`;
    await own.db`update online_devices set until = now() - interval '10 seconds'`;
    const node = await own.addNode();
    const after = await openStream(node.url, { credential }, before.position);
    const isOffline = ({ record }: Change) => record !== undefined && 'online' in record && !record.online;
    await after.until((change) => change.key === silent && isOffline(change));
    await settle();
    const rows = await own.db<{ key: number }[]>`
      select record_key as key from changes where kind = 'device' and change = 'changed' order by xid, key`;
    // Both went online, and one went offline.
    expect(rows.map(({ key }) => key)).toEqual([silent, heard, silent]);
    after.close();
  } finally {
    await own.stop();
  }
});
