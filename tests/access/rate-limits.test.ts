import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { ask, basic, createAddresses } from './ask.ts';
import { askSigned } from './signing.ts';

const perSecond = 5;

// Records are created on a node without a limit; the tested requests go to one with a limit.
let server: TestServer;
let person: Person;
let limited: string;
beforeAll(async () => {
  server = await startTestServer({ trustProxy: ['127.0.0.1/32'] });
  limited = (await server.addNode({ rateLimit: perSecond })).url;
  person = await server.addPerson();
});
afterAll(() => server.stop());

const nextAddress = createAddresses();
const newAddress = () => ({ 'x-forwarded-for': nextAddress() });
type Headers = Readonly<Record<string, string>>;

const read = (headers: Headers, url = limited) => ask(url, 'GET', '/v1/agenttype/list', { headers });
const health = (headers: Headers, url = limited) => ask(url, 'GET', '/healthz', { headers });
/** Far more than a few seconds' worth, so that some are refused even on a slow machine. */
const burst = (one: () => Promise<Answer>) => Promise.all(Array.from({ length: 60 }, one));
const statusesOf = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));

async function keyHeaders(by = person): Promise<Headers> {
  const { credential } = await by.withKey();
  return { ...newAddress(), ...basic(credential.accessKey, credential.secretKey) };
}

describe('too many requests at once', () => {
  test('of one credential get 429 with a Retry-After; other credentials do not', async () => {
    const [busy, calm] = [await keyHeaders(), await keyHeaders()];
    const answers = await burst(() => read(busy));
    expect(statusesOf(answers)).toEqual(new Set([200, 429]));
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await read({ ...calm, 'x-forwarded-for': busy['x-forwarded-for'] ?? '' })).status).toBe(200);
  });

  test('of one session get 429, from any address', async () => {
    const { cookie } = person;
    const answers = await burst(() => read({ cookie, ...newAddress() }));
    expect(statusesOf(answers)).toContain(429);
  });

  test('without credentials are counted by address; other addresses are not refused', async () => {
    const busy = newAddress();
    const answers = await burst(() => health(busy));
    expect(statusesOf(answers)).toEqual(new Set([200, 429]));
    expect((await health(newAddress())).status).toBe(200);
  });

  test('with wrong keys are counted by address; known callers at the address are not refused', async () => {
    const known = await keyHeaders();
    expect((await read(known)).status).toBe(200);
    const guess = () =>
      read({ ...basic('EK00000000000000000000', 'guess'), 'x-forwarded-for': known['x-forwarded-for'] ?? '' });
    expect(statusesOf(await burst(guess))).toEqual(new Set([401, 429]));
    // The second time they are refused before their key is looked up.
    expect(statusesOf(await burst(guess))).toContain(429);
    expect((await read(known)).status).toBe(200);
  });

  test('with forged signatures do not use up the limit of the key', async () => {
    const { credential } = await person.withKey();
    const forger = { ...credential, secretKey: 'guessed' };
    const request = { method: 'GET', path: '/v1/agenttype/list' };
    const forged = await burst(() => askSigned(limited, forger, { ...request, headers: newAddress() }));
    expect(statusesOf(forged)).toEqual(new Set([401]));
    expect((await askSigned(limited, credential, { ...request, headers: newAddress() })).status).toBe(200);
    const fromOnePlace = newAddress();
    const again = await burst(() => askSigned(limited, forger, { ...request, headers: fromOnePlace }));
    expect(statusesOf(again)).toEqual(new Set([401, 429]));
  });

  test('with valid signatures are counted by the key', async () => {
    const { credential } = await person.withKey();
    const answers = await burst(() =>
      askSigned(limited, credential, { method: 'GET', path: '/v1/agenttype/list', headers: newAddress() }),
    );
    expect(statusesOf(answers)).toEqual(new Set([200, 429]));
  });

  test('from a peer that is not a trusted proxy count as one address, whatever address it forwards', async () => {
    const untrusting = await server.addNode({ rateLimit: perSecond, trustProxy: [] });
    expect(statusesOf(await burst(() => health(newAddress(), untrusting.url)))).toEqual(new Set([200, 429]));
    expect(statusesOf(await burst(() => health(newAddress())))).toEqual(new Set([200]));
  });
});

test('without a limit nothing is refused', async () => {
  const headers = await keyHeaders();
  expect(statusesOf(await burst(() => read(headers, server.url)))).toEqual(new Set([200]));
});
