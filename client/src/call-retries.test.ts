import { operationList } from '@earshot/contract/operations';
import { expect, test } from 'vitest';
import { isRepeatable } from './call-retries.ts';
import { createClient } from './client.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A server that gives these answers, one after the other. */
function answering(...answers: (() => Response)[]) {
  const calls: string[] = [];
  const keys: (string | null)[] = [];
  const client = createClient({
    url: 'http://server.example',
    retries: 3,
    fetch: async (input, init) => {
      calls.push(`${init?.method} ${(input as URL).pathname}`);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      const next = answers.shift();
      if (!next) throw new Error('one request too many');
      return next();
    },
  });
  return { client, calls, keys };
}

const lost = (): Response => {
  throw new TypeError('fetch failed');
};

test('a read is repeated after a lost connection and after errors of the server', async () => {
  const { client, calls } = answering(
    lost,
    () => json(503, {}),
    () => json(200, { key: 7 }),
  );
  expect(await client.getDevice({ params: { deviceID: 7 } })).toEqual({ key: 7 });
  expect(calls).toHaveLength(3);
});

test('what would be refused or differ is repeated after a 429 only', async () => {
  const busy = answering(
    () => json(429, {}, { 'retry-after': '0' }),
    () => json(200, { key: 1 }),
  );
  const call = { body: { deviceSerial: 'recorder-1' } };
  expect(await busy.client.createDevice(call)).toEqual({ key: 1 });
  for (const answer of [lost, () => json(503, {})]) {
    const { client, calls } = answering(answer);
    await expect(client.createDevice(call)).rejects.toThrow();
    expect(calls).toHaveLength(1);
  }
});

test('what would be done twice has a key, the same in each repetition and another in each call', async () => {
  const { client, keys } = answering(
    lost,
    () => json(503, {}),
    () => json(200, { key: 1 }),
    () => json(200, { key: 2 }),
  );
  const call = { body: { deviceID: 1, eventType: 'Reboot' } };
  expect(await client.createEvent(call)).toEqual({ key: 1 });
  expect(await client.createEvent(call)).toEqual({ key: 2 });
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a key of the caller is kept, and what is sent once has none', async () => {
  const own = answering(lost, () => json(200, { key: 1 }));
  await own.client.createEvent({ headers: { 'idempotency-key': 'mine' }, body: { deviceID: 1, eventType: 'Reboot' } });
  expect(own.keys).toEqual(['mine', 'mine']);
  const keys: unknown[] = [];
  const once = createClient({
    url: 'http://server.example',
    fetch: async (_input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return json(200, {});
    },
  });
  await once.createEvent({ body: { deviceID: 1, eventType: 'Reboot' } });
  expect(keys).toEqual([null]);
});

test('a refusal, a long wait and the end of the retries are reported', async () => {
  const refused = answering(() => json(404, {}));
  await expect(refused.client.getDevice({ params: { deviceID: 7 } })).rejects.toMatchObject({ status: 404 });
  const long = answering(() => json(429, {}, { 'retry-after': '3600' }));
  await expect(long.client.getDevice({ params: { deviceID: 7 } })).rejects.toMatchObject({ retryAfterSeconds: 600 });
  const { client, calls } = answering(lost, lost, lost, lost);
  await expect(client.getDevice({ params: { deviceID: 7 } })).rejects.toThrow('fetch failed');
  expect(calls).toHaveLength(4);
});

test('an aborted call is not repeated', async () => {
  const stop = new AbortController();
  const { client, calls } = answering(() => {
    stop.abort();
    return lost();
  });
  await expect(client.getDevice({ params: { deviceID: 7 } }, { signal: stop.signal })).rejects.toThrow();
  expect(calls).toHaveLength(1);
});

test('every list may be repeated', () => {
  const lists = operationList.filter(([, { lists: kind, method }]) => kind !== undefined && method === 'POST');
  expect(lists.filter(([, operation]) => !isRepeatable(operation))).toEqual([]);
});
