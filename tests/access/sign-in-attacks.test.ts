import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { ask, createAddresses } from './ask.ts';
import { statusOf } from './places.ts';

let server: TestServer;
beforeAll(async () => {
  // The tests send requests for many addresses, as a proxy on this machine does.
  server = await startTestServer({ trustProxy: ['127.0.0.1/32'] });
});
afterAll(() => server.stop());

const newAddress = createAddresses();

const signIn = (address: string, email: string, password: string, url = server.url, cookie = ''): Promise<Answer> =>
  ask(url, 'POST', '/v1/session', {
    headers: { 'x-forwarded-for': address, ...(cookie === '' ? {} : { cookie }) },
    body: { email, password },
  });
const guess = (address: string, email: string) => signIn(address, email, 'a wrong guess');
const retryAfter = ({ headers }: Answer): number => Number(headers['retry-after']);

/** Ends the current wait; the counts are kept. */
const letTimePass = () =>
  server.db`update sign_in_attempts set blocked_until = now() - interval '1 second' where blocked_until is not null`;

/** All cookies of a response, as a browser sends them back. */
const cookiesKept = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((text) => text.split(';')[0] ?? '').join('; ');
const browserCookie = (answer: Answer): string =>
  cookiesKept(answer)
    .split('; ')
    .filter((pair) => pair.startsWith('earshot_browser'))
    .join('; ');

/** Wrong passwords for one account, two from each of many addresses; none is accepted. */
async function attack(email: string, addresses: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const address of [...addresses, ...addresses]) answers.push(await guess(address, email));
  for (const { status } of answers) expect([401, 429]).toContain(status);
  return answers;
}
const manyAddresses = () => Array.from({ length: 59 }, newAddress);

describe('an account that is under attack from many addresses', () => {
  test('accepts the correct password at once from a known address, without a cookie', async () => {
    const { email } = await server.addPerson();
    const home = newAddress();
    expect((await signIn(home, email, personPassword)).status).toBe(200);
    const attackers = manyAddresses();
    for (let round = 0; round < 3; round += 1) {
      await attack(email, attackers);
      expect((await signIn(home, email, personPassword)).status).toBe(200);
      await letTimePass();
    }
  });

  test('accepts the correct password at once from a known browser at a new address, on any node', async () => {
    const { email } = await server.addPerson();
    const cookie = browserCookie(await signIn(newAddress(), email, personPassword));
    expect(cookie).not.toBe('');
    await attack(email, manyAddresses());
    const second = await server.addNode();
    expect((await signIn(newAddress(), email, personPassword)).status).toBe(429);
    expect((await signIn(newAddress(), email, personPassword, server.url, cookie)).status).toBe(200);
    expect((await signIn(newAddress(), email, personPassword, second.url, cookie)).status).toBe(200);
  });

  test('accepts the correct password from any address after a short wait during the attack', async () => {
    const { email } = await server.addPerson();
    const attackers = manyAddresses();
    await attack(email, attackers);
    const address = newAddress();
    const first = await signIn(address, email, personPassword);
    expect(first.status).toBe(429);
    expect(retryAfter(first)).toBeLessThanOrEqual(10);
    // Further requests do not make the wait longer.
    expect(retryAfter(await signIn(address, email, personPassword))).toBeLessThanOrEqual(retryAfter(first));
    await letTimePass();
    await attack(email, attackers);
    await attack(email, manyAddresses());
    expect((await signIn(address, email, personPassword)).status).toBe(200);
    // The address is known from now on.
    await attack(email, manyAddresses());
    expect((await signIn(address, email, personPassword)).status).toBe(200);
  });

  test('checks one password per wait of an address', async () => {
    const { email } = await server.addPerson();
    await attack(email, manyAddresses());
    const address = newAddress();
    for (let round = 0; round < 3; round += 1) {
      expect((await guess(address, email)).status).toBe(429);
      await letTimePass();
      expect((await guess(address, email)).status).toBe(401);
      expect((await guess(address, email)).status).toBe(429);
    }
  });

  test('gives the same responses as an account that does not exist', async () => {
    const { email } = await server.addPerson();
    const addresses = manyAddresses();
    const outcome = async (tried: string) => {
      const statuses = (await attack(tried, addresses)).map(({ status }) => status);
      const refused = await guess('198.18.200.1', tried);
      return { statuses, last: [refused.status, (refused.json as { detail: string }).detail] };
    };
    const real = await outcome(email);
    await server.db`delete from sign_in_attempts`;
    expect(await outcome('nobody-at-all@example.org')).toEqual(real);
  });

  test('gives no further attempts for the cookie of another person or a forged one', async () => {
    const [one, other] = [await server.addPerson(), await server.addPerson()];
    const cookie = browserCookie(await signIn(newAddress(), one.email, personPassword));
    await attack(other.email, manyAddresses());
    const value = cookie.split('=')[1] ?? '';
    for (const given of [
      cookie,
      `earshot_browser_${other.userID}=${value}`,
      `earshot_browser_${other.userID}=${value.split('.')[0]}.`,
      `earshot_browser_${other.userID}=`,
      `earshot_browser_${other.userID}=.`,
    ]) {
      expect((await signIn(newAddress(), other.email, personPassword, server.url, given)).status).toBe(429);
    }
  });

  test('does not affect other accounts', async () => {
    const [one, other] = [await server.addPerson(), await server.addPerson()];
    await attack(one.email, manyAddresses());
    expect((await signIn(newAddress(), other.email, personPassword)).status).toBe(200);
  });

  test('requires no wait some time after the attack', async () => {
    const { email } = await server.addPerson();
    await attack(email, manyAddresses());
    await server.db`update sign_in_attempts set last_attempt_date = last_attempt_date - interval '41 minutes'`;
    expect((await signIn(newAddress(), email, personPassword)).status).toBe(200);
  });
});

describe('failures from a known browser or address', () => {
  test('are limited separately, and do not affect other browsers and addresses', async () => {
    const { email } = await server.addPerson();
    const home = newAddress();
    const cookie = browserCookie(await signIn(home, email, personPassword));
    const fromBrowser = (password: string, address: string) =>
      signIn(address, email, password, server.url, cookie).then(({ status }) => status);
    const elsewhere = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 25 && !statuses.includes(429); index += 1) {
      statuses.push(await fromBrowser('a wrong guess', elsewhere));
    }
    expect(statuses.at(-1)).toBe(429);
    // A stolen cookie whose attempts are used up does not block its owner.
    expect(await fromBrowser(personPassword, home)).toBe(200);
  });

  test('for other accounts at the address do not affect people who are known there', async () => {
    const { email } = await server.addPerson();
    const office = newAddress();
    await signIn(office, email, personPassword);
    let last = 0;
    for (let index = 0; index < 60 && last !== 429; index += 1) {
      last = (await guess(office, `colleague-${index}@example.org`)).status;
    }
    expect(last).toBe(429);
    expect((await signIn(office, email, personPassword)).status).toBe(200);
  });

  test('in a stolen session block neither a sign-in nor a change of the password in another session', async () => {
    const thief = await server.addPerson();
    const body = { oldPassword: 'a wrong guess', newPassword: 'another fine phrase' };
    let last = 0;
    for (let index = 0; index < 15 && last !== 429; index += 1) {
      last = await statusOf(thief.session.changePassword({ body }));
    }
    expect(last).toBe(429);
    const owner = await signIn(newAddress(), thief.email, personPassword);
    expect(owner.status).toBe(200);
    const changed = await ask(server.url, 'PUT', '/v1/session/password', {
      headers: { cookie: cookiesKept(owner) },
      body: { ...body, oldPassword: personPassword },
    });
    expect(changed.status).toBe(200);
  });
});

test('all addresses of one IPv6 /64 count as one', async () => {
  const { email } = await server.addPerson();
  const statuses: number[] = [];
  for (let index = 0; index < 15 && !statuses.includes(429); index += 1) {
    statuses.push((await guess(`2001:db8:0:1::${index.toString(16)}`, email)).status);
  }
  expect(statuses.at(-1)).toBe(429);
  expect((await guess('2001:db8:0:2::1', email)).status).toBe(401);
  // After one sign-in the person is known at all of them.
  await letTimePass();
  expect((await signIn('2001:db8:0:1:aaaa::1', email, personPassword)).status).toBe(200);
  await attack(email, manyAddresses());
  expect((await signIn('2001:db8:0:1:bbbb::1', email, personPassword)).status).toBe(200);
});

test('the cookie of a known browser is sent for sign-in only, by this site only, and hidden from scripts', async () => {
  const { email } = await server.addPerson();
  const answer = await signIn(newAddress(), email, personPassword);
  const set = answer.headers['set-cookie']?.find((text) => text.startsWith('earshot_browser'));
  expect(set).toMatch(/; Path=\/v1\/session; Max-Age=34560000; HttpOnly; SameSite=Strict$/);
  const alone = await ask(server.url, 'GET', '/v1/session', { headers: { cookie: browserCookie(answer) } });
  expect(alone.status).toBe(401);
});
