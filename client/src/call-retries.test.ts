import { operationList } from '@earshot/contract/operations';
import { expect, test } from 'vitest';
import { isRepeatable } from './call-retries.ts';
import { createClient } from './client.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A server that gives these answers, one after the other. */
function answering(...answers: (() => Response)[]) {
  const calls: string[] = [];
  const client = createClient({
    url: 'http://server.example',
    retries: 3,
    fetch: async (input, init) => {
      calls.push(`${init?.method} ${(input as URL).pathname}`);
      const next = answers.shift();
      if (!next) throw new Error('one request too many');
      return next();
    },
  });
  return { client, calls };
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

test('what would be done twice is repeated after a 429 only', async () => {
  const busy = answering(
    () => json(429, {}, { 'retry-after': '0' }),
    () => json(200, { key: 1 }),
  );
  expect(await busy.client.createEvent({ body: { deviceID: 1, eventType: 'Reboot' } })).toEqual({ key: 1 });
  for (const answer of [lost, () => json(503, {})]) {
    const { client, calls } = answering(answer);
    await expect(client.createEvent({ body: { deviceID: 1, eventType: 'Reboot' } })).rejects.toThrow();
    expect(calls).toHaveLength(1);
  }
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

test('every list may be repeated, and nothing that takes or makes something', () => {
  const methodOf = new Map(operationList.map(([name, { method }]) => [name, method]));
  const repeatable = operationList.filter(([name, { method }]) => isRepeatable(name, method)).map(([name]) => name);
  const lists = operationList.filter(([, { lists: kind, method }]) => kind !== undefined && method === 'POST');
  expect(repeatable).toEqual(expect.arrayContaining(lists.map(([name]) => name)));
  for (const name of ['createEvent', 'dequeueEvent', 'runEventPreset', 'createApiKey', 'reportEvent', 'deleteDevice']) {
    expect(isRepeatable(name, methodOf.get(name)!), name).toBe(false);
  }
  for (const name of repeatable) expect(methodOf.has(name)).toBe(true);
});
