import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Postback } from '@earshot/contract/postback';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Received, Receiver } from './receiver.ts';
import { startReceiver } from './receiver.ts';
import { otherForbiddenAddresses } from './forbidden-addresses.ts';

let server: TestServer;
let client: Client;
let receiver: Receiver;
let secret: string;
let deviceID: number;
let deviceSerial: string;
let answer: (request: Received, response: ServerResponse) => void;

const eventTimes = { leaseSeconds: 300, retrySeconds: 1 };
beforeAll(async () => {
  const lookup = async (hostname: string) => {
    if (hostname === 'nowhere.example.org') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [{ address: '10.0.0.1', family: 4 }];
  };
  server = await startTestServer({ allowNetworks: ['127.0.0.0/8'], eventTimes }, { lookup });
  const owner = await server.addPerson();
  client = (await owner.withKey()).client;
  secret = (await owner.session.getPostbackSecret()).postbackSecret;
  receiver = await startReceiver((request, response) => answer(request, response));
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  answer = answering(200);
  receiver.requests.length = 0;
  receiver.connections.length = 0;
  deviceSerial = `d-${randomUUID()}`;
  deviceID = (await client.createDevice({ body: { deviceSerial } })).key ?? 0;
});

const answering = (...statuses: number[]) => {
  const left = [...statuses];
  return (_request: Received, response: ServerResponse) =>
    void response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 200).end();
};
const url = (host = '127.0.0.1') => `http://${host}:${receiver.port}/outcome?token=secret-query`;
const enqueue = (more: object = {}) =>
  client.createEvent({ body: { deviceID, eventType: 'Reboot', postbackURL: url(), ...more } });
const take = () => client.dequeueEvent({ body: { deviceSerial, agentType: 'Device', processID: 1 } });

async function completeOne(more: object = {}): Promise<number> {
  const { key: eventID = 0 } = await enqueue(more);
  await take();
  await client.reportEvent({ params: { eventID }, body: { eventStatus: 4, result: 'done' } });
  return eventID;
}

async function postbackOf(eventID: number, expected: object): Promise<Postback> {
  return vi.waitFor(
    async () => {
      const postbacks = await client.listPostbacks({ params: { eventID } });
      expect(postbacks).toMatchObject([expected]);
      return postbacks[0] ?? {};
    },
    { interval: 50 },
  );
}

/** Throws unless it is signed with the owner's secret; verified by an independent library. */
const verified = ({ body, headers }: Received): unknown => new Webhook(secret).verify(body, headers);

test('an outcome is posted with a signature until the receiver accepts it', async () => {
  answer = answering(500, 500, 200);
  const eventID = await completeOne({ tagNumber: 7 });
  const delivered = await postbackOf(eventID, { state: 'delivered' });
  expect(delivered).toMatchObject({
    eventID,
    attempts: 3,
    lastStatus: 200,
    url: `http://127.0.0.1:${receiver.port}/outcome`,
  });
  expect(delivered).not.toHaveProperty('nextAttemptDate');
  expect(delivered).not.toHaveProperty('lastError');

  expect(receiver.requests).toHaveLength(3);
  const event = await client.getEvent({ params: { eventID } });
  for (const request of receiver.requests) {
    expect(verified(request)).toEqual({ type: 'event.complete', timestamp: delivered.creationDate, data: event });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/outcome?token=secret-query',
      headers: { 'content-type': 'application/json' },
    });
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
});

test('every outcome is posted by its name, and nothing before the end', async () => {
  const { key: failing = 0 } = await enqueue({ maxAttempts: 2 });
  await take();
  await client.reportEvent({ params: { eventID: failing }, body: { eventStatus: 5 } });
  expect(await client.listPostbacks({ params: { eventID: failing } })).toEqual([]);
  await vi.waitFor(async () => expect(await take()).toBeDefined(), { interval: 100 });
  await client.reportEvent({ params: { eventID: failing }, body: { eventStatus: 5 } });
  const { key: cancelled = 0 } = await enqueue();
  await client.cancelEvent({ params: { eventID: cancelled } });
  const { key: expired = 0 } = await enqueue({ expirationEpoch: 1 });

  for (const eventID of [failing, cancelled, expired]) await postbackOf(eventID, { state: 'delivered', attempts: 1 });
  const types = receiver.requests.map((request) => verified(request) as { type: string; data: { key: number } });
  expect(Object.fromEntries(types.map(({ type, data }) => [data.key, type]))).toEqual({
    [failing]: 'event.error',
    [cancelled]: 'event.cancelled',
    [expired]: 'event.timed_out',
  });
});

test('status 410 ends the attempts', async () => {
  answer = answering(410);
  const postback = await postbackOf(await completeOne(), { state: 'failed' });
  expect(postback).toMatchObject({ attempts: 1, lastStatus: 410 });
  expect(postback).not.toHaveProperty('nextAttemptDate');
});

test('a redirect is not followed, and the postback is retried', async () => {
  answer = (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end();
  const eventID = await completeOne();
  const waiting = await postbackOf(eventID, { state: 'waiting', lastStatus: 302 });
  expect(waiting.nextAttemptDate).toBeDefined();
  answer = answering(204);
  await postbackOf(eventID, { state: 'delivered', lastStatus: 204 });
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/outcome?token=secret-query']));
});

test('after a day the postback fails', async () => {
  answer = answering(500);
  const eventID = await completeOne();
  await postbackOf(eventID, { state: 'waiting', lastStatus: 500 });
  await server.db`update postbacks set creation_date = now() - interval '1 day' where event_id = ${eventID}`;
  await postbackOf(eventID, { state: 'failed', lastStatus: 500, lastError: 'the receiver responded with status 500' });
});

test('an address that is not public is refused in the request, in any notation', async () => {
  for (const host of [...otherForbiddenAddresses, '[::1]', '0', '0.0.0.0', '[::ffff:0.0.0.0]']) {
    const { problem, status } = await enqueue({ postbackURL: url(host) }).then(
      () => Promise.reject(new Error(`${host} was accepted`)),
      (error: ApiError) => error,
    );
    expect([host, status, problem?.errors]).toEqual([
      host,
      400,
      [{ path: 'postbackURL', message: 'cannot be called: its address is not public' }],
    ]);
  }
});

test('a name that resolves to such an address is never connected to, and looks like one that does not exist', async () => {
  const reasons = { inside: 'its address is not public', nowhere: 'the host name was not found' };
  for (const [name, reason] of Object.entries(reasons)) {
    const eventID = await completeOne({ postbackURL: url(`${name}.example.org`) });
    const lastError = 'the host name does not exist, or its address is not public';
    await postbackOf(eventID, { state: 'waiting', attempts: 1, lastError, nextAttemptDate: expect.any(String) });
    const [shown] = await server.admin.session.listPostbacks({ params: { eventID } });
    expect(shown?.lastError).toBe(reason);
    expect(JSON.stringify(server.log.lines.filter((line) => JSON.stringify(line).includes(`:${eventID}`)))).toContain(
      reason,
    );
  }
  expect(receiver.connections).toEqual([]);
});

test('an invalid URL is refused in the request', async () => {
  for (const postbackURL of [
    'ftp://example.org/',
    'nonsense',
    'http://name:password@example.org/',
    `https://example.org/${'x'.repeat(2_000)}`,
  ]) {
    await expect(enqueue({ postbackURL })).rejects.toMatchObject({ status: 400 });
  }
});

test('an event without a URL posts nothing', async () => {
  const eventID = await completeOne({ postbackURL: undefined });
  expect(await client.listPostbacks({ params: { eventID } })).toEqual([]);
});

test('only people who may read the event can list its postbacks', async () => {
  const eventID = await completeOne();
  const stranger = await server.addPerson();
  await expect(stranger.session.listPostbacks({ params: { eventID } })).rejects.toMatchObject({ status: 404 });
  await postbackOf(eventID, { state: 'delivered' });
});

test('neither the secret nor the query of a URL is logged or stored unencrypted', async () => {
  answer = answering(500, 200);
  await postbackOf(await completeOne(), { state: 'delivered' });
  await postbackOf(await completeOne({ postbackURL: url('inside.example.org') }), { attempts: 1, state: 'waiting' });
  await postbackOf(await completeOne({ postbackURL: 'http://127.0.0.1:1/?token=secret-query' }), {
    lastError: 'the connection was refused',
  });
  const tables = await server.db`
    select to_jsonb(e) as event, to_jsonb(s) as kept_apart, to_jsonb(p) as postback, to_jsonb(u) as owner
    from events e join devices d on d.key = e.device_id join users u on u.key = d.user_id
      left join event_secrets s on s.event_id = e.key left join postbacks p on p.event_id = e.key`;
  expect(tables.filter(({ kept_apart }) => kept_apart !== null).length).toBeGreaterThanOrEqual(3);
  const text = JSON.stringify([server.log.lines, tables]);
  for (const hidden of ['secret-query', secret, secret.replace('whsec_', '')]) expect(text).not.toContain(hidden);
});
