import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { ask, basic, createAddresses } from './ask.ts';
import { statusOf } from './places.ts';

let server: TestServer;
beforeAll(async () => {
  // The tests send requests for many addresses, as a proxy on this machine does.
  server = await startTestServer({ trustProxy: ['127.0.0.1/32'] });
});
afterAll(() => server.stop());

const newAddress = createAddresses();

const signIn = (address: string, email: string, password: string, url = server.url): Promise<Answer> =>
  ask(url, 'POST', '/v1/session', { headers: { 'x-forwarded-for': address }, body: { email, password } });
const guess = (address: string, email: string, url = server.url) => signIn(address, email, 'a wrong guess', url);
const retryAfter = ({ headers }: Answer): number => Number(headers['retry-after']);

/**
 * Sends wrong passwords until the response is 429. The wait doubles with each failure, so 429 occurs even on a machine
 * that is slower than the first waits.
 */
async function guessUntilBlocked(address: string, email: string): Promise<{ failures: number; blocked: Answer }> {
  for (let failures = 0; failures < 15; failures += 1) {
    const answer = await guess(address, email);
    if (answer.status === 429) return { failures, blocked: answer };
    expect(answer.status).toBe(401);
  }
  throw new Error('fifteen failures did not lead to a 429');
}

/** Ends the current wait; the counts are kept. */
const letTimePass = () =>
  server.db`update sign_in_attempts set blocked_until = now() - interval '1 second' where blocked_until is not null`;

describe('repeated failures to sign in', () => {
  test('get 429 with a Retry-After, also for the correct password', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    const { failures, blocked } = await guessUntilBlocked(address, email);
    expect(failures).toBeGreaterThanOrEqual(3);
    expect(retryAfter(blocked)).toBeGreaterThanOrEqual(1);
    // A few more failures make the wait long enough for the next request to fall into it.
    for (let round = 0; round < 5; round += 1) {
      await letTimePass();
      await guess(address, email);
    }
    expect((await signIn(address, email, personPassword)).status).toBe(429);
    await letTimePass();
    expect((await signIn(address, email, personPassword)).status).toBe(200);
  });

  test('increase the wait up to a limit', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    await guessUntilBlocked(address, email);
    const waits: number[] = [];
    for (let round = 0; round < 14; round += 1) {
      await letTimePass();
      expect((await guess(address, email)).status).toBe(401);
      const answer = await guess(address, email);
      if (answer.status === 429) waits.push(retryAfter(answer));
    }
    expect(waits.length).toBeGreaterThanOrEqual(10);
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    expect(waits[5]).toBeGreaterThan(waits[2] ?? Infinity);
    expect(waits.at(-1)).toBeLessThanOrEqual(60);
  });

  test('count on every node of the database', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    const second = await server.addNode();
    await guessUntilBlocked(address, email);
    await letTimePass();
    for (let round = 0; round < 4; round += 1) {
      await guess(address, email);
      await letTimePass();
    }
    await guess(address, email);
    expect((await guess(address, email, second.url)).status).toBe(429);
    expect((await signIn(address, email, personPassword, second.url)).status).toBe(429);
  });

  test('from one address do not block the person at another', async () => {
    const { email } = await server.addPerson();
    await guessUntilBlocked(newAddress(), email);
    expect((await signIn(newAddress(), email, personPassword)).status).toBe(200);
  });

  test('for one person do not block another at the same address', async () => {
    const [one, other] = [await server.addPerson(), await server.addPerson()];
    const address = newAddress();
    await guessUntilBlocked(address, one.email);
    expect((await signIn(address, other.email, personPassword)).status).toBe(200);
  });

  test('for changing accounts are limited by address', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1)
      statuses.push((await guess(address, `nobody-${index}@example.org`)).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(statuses).toContain(429);
    expect((await guess(newAddress(), 'nobody-0@example.org')).status).toBe(401);
  });

  test('that are refused leave no rows', async () => {
    const address = newAddress();
    for (let index = 0; index < 40; index += 1) await guess(address, `filling-${index}@example.org`);
    await server.db`update sign_in_attempts set blocked_until = now() + interval '1 minute' where failures >= 20`;
    const count = async () => (await server.db`select 1 from sign_in_attempts`).length;
    const before = await count();
    for (let index = 0; index < 20; index += 1) {
      expect((await guess(address, `filling-more-${index}@example.org`)).status).toBe(429);
    }
    expect(await count()).toBe(before);
  });

  test('are reset by a success', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    for (let round = 0; round < 3; round += 1) {
      expect((await guess(address, email)).status).toBe(401);
      expect((await guess(address, email)).status).toBe(401);
      expect((await guess(address, email)).status).toBe(401);
      expect((await signIn(address, email, personPassword)).status).toBe(200);
    }
  });

  test('are reset after a long time without attempts', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    await guessUntilBlocked(address, email);
    await letTimePass();
    await guess(address, email);
    await server.db`
      update sign_in_attempts set last_attempt_date = now() - interval '1 day', blocked_until = now() - interval '23 hours'`;
    const statuses = [await guess(address, email), await guess(address, email), await guess(address, email)];
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('cannot be bypassed by concurrent requests', async () => {
    const { email } = await server.addPerson();
    const address = newAddress();
    const second = await server.addNode();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_value, index) => guess(address, email, index % 2 === 0 ? server.url : second.url)),
    );
    const statuses = answers.map(({ status }) => status);
    // Five, and the few that follow the first short waits on a slow machine.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(9);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
  });

  test('of the old password count too, so that a stolen session cannot be used to guess it', async () => {
    const person = await server.addPerson();
    const body = { oldPassword: 'a wrong guess', newPassword: 'another fine phrase' };
    const statuses: number[] = [];
    for (let index = 0; index < 15 && !statuses.includes(429); index += 1) {
      statuses.push(await statusOf(person.session.changePassword({ body })));
    }
    expect(statuses[0]).toBe(403);
    expect(statuses.at(-1)).toBe(429);
  });
});

test('HTTP Basic is limited like a body', async () => {
  const { email } = await server.addPerson();
  const address = newAddress();
  const statuses: number[] = [];
  for (let index = 0; index < 15 && !statuses.includes(429); index += 1) {
    const headers = { 'x-forwarded-for': address, ...basic(email, 'a wrong guess') };
    statuses.push((await ask(server.url, 'POST', '/v1/session', { headers })).status);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
});

test('the forwarded address of an untrusted peer is ignored', async () => {
  const untrusting = await server.addNode({ trustProxy: [] });
  const { email } = await server.addPerson();
  const statuses: number[] = [];
  for (let index = 0; index < 15 && !statuses.includes(429); index += 1) {
    statuses.push((await guess(newAddress(), email, untrusting.url)).status);
  }
  expect(statuses.at(-1)).toBe(429);
});
