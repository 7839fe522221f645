import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';

let server: TestServer;
let client: Client;
let authorization: string;
let device: Device;
beforeAll(async () => {
  // No worker takes the events.
  server = await startTestServer({ role: 'server', databaseConnections: 10 });
  const { client: made, credential } = await server.admin.withKey();
  client = made;
  authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const eventType = 'Report_diagnostics';
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const order = (key: string, more: object = {}, by = client) =>
  by.createEvent({ ...withKey(key), body: { deviceID: device.deviceID, eventType, ...more } });

async function countEvents(): Promise<number> {
  const [row] = await server.db<{ count: number }[]>`
    select count(*)::int as count from events where device_id = ${device.deviceID}`;
  return row?.count ?? 0;
}

/** Runs `act` while the request has done its work and cannot store its answer. */
async function beforeItsAnswer(send: () => unknown, act: (backend: number) => unknown): Promise<void> {
  await server.db.begin(async (tx) => {
    await tx`lock table idempotent_answers in share mode`;
    send();
    const backend = await vi.waitUntil(async () => {
      // The sweep of old answers may wait too. Outside of the transaction, which would see one moment for ever.
      const [row] = await server.db<{ pid: number }[]>`
        select l.pid from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and l.relation = 'idempotent_answers'::regclass and a.query ilike '%insert into%'`;
      return row?.pid;
    });
    await act(backend);
  });
}

describe('a request with a key', () => {
  test('that is sent again gets the same answer, and is done once', async () => {
    const key = randomUUID();
    const first = await order(key);
    expect(await order(key)).toEqual(first);
    expect(await countEvents()).toBe(1);
    await order(randomUUID());
    expect(await countEvents()).toBe(2);
  });

  test('twenty times at once: one event, and everyone is told of it', async () => {
    const { credential } = await server.admin.withKey();
    const patient = createClient({ url: server.url, credential, retries: 20 });
    const key = randomUUID();
    const events = await Promise.all(Array.from({ length: 20 }, () => order(key, {}, patient)));
    expect(new Set(events.map((event) => event.key)).size).toBe(1);
    expect(await countEvents()).toBe(1);
  });

  test('whose first is in progress is told to retry', async () => {
    const key = randomUUID();
    let first: ReturnType<typeof order> | undefined;
    await beforeItsAnswer(
      () => (first = order(key)),
      () => expect(order(key)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 }),
    );
    const answer = await first;
    expect(await order(key)).toEqual(answer);
    expect(await countEvents()).toBe(1);
  });

  test('that ends between its work and its answer has done nothing, and can be sent again', async () => {
    const key = randomUUID();
    let first: Promise<unknown> = Promise.resolve();
    await beforeItsAnswer(
      () => (first = order(key).catch((error: unknown) => error)),
      (backend) => server.db`select pg_terminate_backend(${backend})`,
    );
    expect(await first).toEqual(refusedWith(503));
    expect(await countEvents()).toBe(0);
    await order(key);
    expect(await countEvents()).toBe(1);
  });

  test('whose caller is gone before the answer is done once, and the answer is kept', async () => {
    const key = randomUUID();
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key };
    const lost = request(new URL('/v1/event', server.url), { method: 'POST', headers, agent: false });
    lost.on('error', () => {});
    await beforeItsAnswer(
      () => lost.end(JSON.stringify({ deviceID: device.deviceID, eventType })),
      () => lost.destroy(),
    );
    const event = await vi.waitFor(() => order(key));
    expect(await countEvents()).toBe(1);
    expect(await order(key)).toEqual(event);
  });

  test('that was refused is not kept', async () => {
    const key = randomUUID();
    await expect(order(key, { eventType: 'No_such_type' })).rejects.toEqual(refusedWith(400));
    expect(await order(key)).toMatchObject({ deviceID: device.deviceID });
  });

  test('is a request of its own a day later', async () => {
    const key = randomUUID();
    const { key: first } = await order(key);
    await server.db`update idempotent_answers set creation_date = now() - interval '23 hours 59 minutes'`;
    expect(await order(key)).toMatchObject({ key: first });
    await server.db`update idempotent_answers set creation_date = now() - interval '24 hours 1 minute'`;
    const later = await order(key);
    expect(later.key).not.toBe(first);
    expect(await order(key)).toEqual(later);
  });
});

test('a key with another request is refused: another body, another path, another operation is another key', async () => {
  const key = randomUUID();
  const { key: eventID = 0 } = await order(key);
  await expect(order(key, { priority: 1 })).rejects.toEqual(refusedWith(409, /Use a new key/));
  const other = await addDevice(client);
  const captions = (serial: string) =>
    client.captionAudio({ ...withKey(key), params: { deviceSerial: serial }, body: {} });
  await captions(device.deviceSerial);
  await expect(captions(other.deviceSerial)).rejects.toEqual(refusedWith(409, /Use a new key/));
  expect(await order(key)).toMatchObject({ key: eventID });
});

test('each API key and each person is a caller of its own; the sessions of a person are one', async () => {
  const key = randomUUID();
  const { key: first } = await order(key);
  const { client: otherKey } = await server.admin.withKey();
  const inSession = await order(key, {}, server.admin.session);
  const other = await server.addPerson({ role: 'admin' });
  const events = [inSession, await order(key, {}, otherKey), await order(key, {}, other.session)];
  expect(new Set([first, ...events.map((event) => event.key)]).size).toBe(4);
  expect(await order(key, {}, server.admin.session)).toEqual(inSession);
});

test.each(['', 'two words', 'x'.repeat(201), 'naïve'])('the key “%s” is refused', async (key) => {
  await expect(order(key)).rejects.toEqual(refusedWith(400, /idempotency-key must be 1 to 200 visible ASCII/));
  expect(await countEvents()).toBe(0);
});

test('a kept answer is told only to a caller who may read the record now', async () => {
  const { client: admin } = await server.admin.withKey();
  const member = await server.addPerson();
  const { key: collectionID = 0 } = await admin.createCollection({ body: { collectionName: 'Lent' } });
  await admin.updateCollection({ params: { collectionID }, body: { memberAccess: 'write' } });
  const params = { collectionItemID: collectionID };
  await admin.addCollectionItem({ params, body: { itemType: 'device', itemID: device.deviceID } });
  const lent = await admin.addCollectionItem({ params, body: { itemType: 'user', itemID: member.userID } });
  const preset = await admin.createEventPreset({ body: { deviceGroupID: collectionID, eventType } });
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
  const run = () =>
    member.session.runEventPreset({ ...withKey(two), params: { eventPresetID: preset.key ?? 0 }, body: {} });
  const upload = () =>
    member.session.createDeviceHealth({ ...withKey(three), body: { ...device, healthJSON: '{"battery":1}' } });
  const told = [await order(one, {}, member.session), await run(), await upload()];
  expect([await order(one, {}, member.session), await run(), await upload()]).toEqual(told);
  await admin.removeCollectionItem({ params: { collectionItemID: lent.key ?? 0 } });
  await expect(order(one, {}, member.session)).rejects.toEqual(refusedWith(404));
  await expect(run()).rejects.toEqual(refusedWith(404));
  await expect(upload()).rejects.toEqual(refusedWith(404));
  expect(await countEvents()).toBe(2);
});

test('an API key that was deleted is told nothing', async () => {
  const { client: programmed, apiKeyID } = await server.admin.withKey();
  const key = randomUUID();
  await order(key, {}, programmed);
  await server.admin.session.deleteApiKey({ params: { apiKeyID } });
  await expect(order(key, {}, programmed)).rejects.toEqual(refusedWith(401));
});

test('at rest, neither the answer nor the key nor the request can be read', async () => {
  const words = `words-${randomUUID()}`;
  await order(words, { tagString: words });
  const rows = await server.db<{ text: string }[]>`
    select encode(digest, 'escape') || encode(request, 'escape') || coalesce(encode(answer, 'escape'), '')
      as text from idempotent_answers`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ text }) => text.includes(words) || text.includes('eventTypeID'))).toEqual([]);
});
