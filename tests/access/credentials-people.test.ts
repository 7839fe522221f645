import { findFreePort } from '@earshot/server/testing/free-port';
import type { Person } from '@earshot/server/testing/person';
import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { addDevice, addFile, give, statusOf } from './places.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const newPassword = 'chosen by its owner';
const canSignIn = async ({ email }: Person, password: string) =>
  (await ask(server.url, 'POST', '/v1/session', { body: { email, password } })).status === 200;
const update = (userID: number, body: { role?: 'admin' | 'member'; disabled?: boolean }, by = server.admin) =>
  statusOf(by.session.updateUser({ params: { userID }, body }));
const remove = (userID: number, by = server.admin) => statusOf(by.session.deleteUser({ params: { userID } }));

describe('a password reset link', () => {
  const makeLink = ({ userID }: Person) => server.admin.session.createPasswordReset({ params: { userID } });
  const use = async (token: string, password = newPassword) =>
    (await ask(server.url, 'POST', '/v1/session/passwordreset', { body: { token, password } })).status;

  test('sets the password once and ends every session', async () => {
    const person = await server.addPerson();
    const { token, resetURL, expirationDate } = await makeLink(person);
    expect(resetURL).toBe(`/reset#token=${token}`);
    expect(Date.parse(expirationDate)).toBeGreaterThan(Date.now());
    expect(await use(token, 'short')).toBe(400);
    expect(await use(token)).toBe(200);
    expect(await statusOf(person.session.getSession())).toBe(401);
    expect([await canSignIn(person, personPassword), await canSignIn(person, newPassword)]).toEqual([false, true]);
    expect(await use(token, 'taken over by another')).toBe(401);
    expect(await canSignIn(person, newPassword)).toBe(true);
  });

  test('leads to the console that requested it, or to the public URL, never to the Host header', async () => {
    const { userID } = await server.addPerson();
    const port = Number(new URL(server.url).port);
    const askFor = async (url: string, headers: Record<string, string>) => {
      const target = `/v1/user/${userID}/passwordreset`;
      // A node with an https address reads the cookie by its other name.
      const cookie = `${server.admin.cookie}; __Host-${server.admin.cookie}`;
      const answer = await ask(url, 'POST', target, { headers: { cookie, ...headers } });
      const { resetURL = '', token = '' } = (answer.json ?? {}) as { resetURL?: string; token?: string };
      return [answer.status, resetURL.replace(`#token=${token}`, '')];
    };
    const own = new URL(server.url).origin;
    expect(await askFor(server.url, { origin: own })).toEqual([200, `${own}/reset`]);
    expect(await askFor(server.url, { origin: `http://localhost:${port}`, host: `localhost:${port}` })).toEqual([
      200,
      `http://localhost:${port}/reset`,
    ]);
    expect(await askFor(server.url, { host: 'evil.example' })).toEqual([200, '/reset']);
    expect(await askFor(server.url, { host: 'evil.example', 'sec-fetch-site': 'same-origin' })).toEqual([
      200,
      '/reset',
    ]);
    expect(await askFor(server.url, { host: 'evil.example', origin: own })).toEqual([403, '']);
    const publicPort = await findFreePort();
    await server.addNode({ publicOrigin: 'https://earshot.example.org', port: publicPort });
    const url = `http://127.0.0.1:${publicPort}`;
    for (const headers of [{}, { host: 'evil.example' }, { origin: url }, { origin: 'https://earshot.example.org' }]) {
      expect(await askFor(url, headers)).toEqual([200, 'https://earshot.example.org/reset']);
    }
  });

  test('works once, also for concurrent uses', async () => {
    const { token } = await makeLink(await server.addPerson());
    const statuses = await Promise.all(
      Array.from({ length: 4 }, (_value, index) => use(token, `a password of ${index}`)),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });

  test('expires, is replaced by a newer one, and cannot be guessed', async () => {
    const person = await server.addPerson();
    const [former, newer] = [await makeLink(person), await makeLink(person)];
    expect([await use(former.token), await use('made up')]).toEqual([401, 401]);
    await server.db`update password_resets set expiration_date = now() - interval '1 second' where user_id = ${person.userID}`;
    expect(await use(newer.token)).toBe(401);
    expect(await canSignIn(person, personPassword)).toBe(true);
  });
});

test('people can read and rotate only their own postback secret', async () => {
  const [ada, ben] = [await server.addPerson(), await server.addPerson()];
  const { postbackSecret } = await ada.session.getPostbackSecret();
  // The format of Standard Webhooks: base64 of 24 to 64 bytes.
  expect(postbackSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/);
  expect(await ada.session.getPostbackSecret()).toEqual({ postbackSecret });
  expect(await ben.session.getPostbackSecret()).not.toEqual({ postbackSecret });
  const rotated = await ada.session.rotatePostbackSecret();
  expect(rotated.postbackSecret).not.toBe(postbackSecret);
  expect(await ada.session.getPostbackSecret()).toEqual(rotated);
});

async function countWaiting({ db }: TestServer): Promise<number> {
  const [row] = await db<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}

describe('the last admin', () => {
  test('cannot be demoted, disabled or removed', async () => {
    const { userID } = server.admin;
    expect([
      await update(userID, { role: 'member' }),
      await update(userID, { disabled: true }),
      await remove(userID),
    ]).toEqual([409, 409, 409]);
    expect(await server.admin.session.getSession()).toMatchObject({ role: 'admin' });
  });

  test('is determined without disabled admins', async () => {
    const other = await server.addPerson({ role: 'admin' });
    expect(await update(other.userID, { disabled: true })).toBe(200);
    expect(await update(server.admin.userID, { role: 'member' })).toBe(409);
    expect(await remove(other.userID)).toBe(200);
  });

  test.each([{ role: 'member' }, { disabled: true }] as const)(
    'remains if admins do this to each other at the same time: %o',
    async (body) => {
      const own = await startTestServer();
      onTestFinished(() => own.stop());
      const admins = [own.admin, await own.addPerson({ role: 'admin' }), await own.addPerson({ role: 'admin' })];
      const { asked } = await own.db.begin(async (tx) => {
        // No request passes the locked rows of the admins until all of them wait there.
        await tx`select key from users for update`;
        const updates = admins.map((by, index) => update(admins[(index + 1) % admins.length]!.userID, body, by));
        await expect
          .poll(async () => {
            // PostgreSQL ends a transaction without statements after 30 s.
            await tx`select 1`;
            return countWaiting(own);
          })
          .toBe(admins.length);
        return { asked: updates };
      });
      expect(await Promise.all(asked)).toContain(200);
      const left = await own.db`select key from users where role = 'admin' and not disabled`;
      expect(left.length).toBeGreaterThan(0);
    },
  );
});

describe('removing a person', () => {
  test('is refused while the person owns devices or files', async () => {
    const [person, heir] = [await server.addPerson(), await server.addPerson()];
    const device = await addDevice(person);
    expect(await remove(person.userID)).toBe(409);
    expect(await statusOf(person.session.getSession())).toBe(200);
    await give(person, device, heir);
    const fileID = await addFile(server, person);
    expect(await remove(person.userID)).toBe(409);
    await server.db`delete from files where key = ${fileID}`;
    expect(await remove(person.userID)).toBe(200);
    expect(await statusOf(heir.session.getUser({ params: { userID: person.userID } }))).toBe(404);
    expect(await canSignIn(person, personPassword)).toBe(false);
  });

  test('removes the person from collections, and the person’s own collections', async () => {
    const [ada, ben] = [await server.addPerson(), await server.addPerson()];
    const { key: collectionID = 0 } = await ada.session.createCollection({ body: { collectionName: 'Left' } });
    const body = { itemType: 'user', itemID: ben.userID } as const;
    await ada.session.addCollectionItem({ params: { collectionItemID: collectionID }, body });
    expect(await remove(ada.userID)).toBe(200);
    expect(await statusOf(ben.session.getCollection({ params: { collectionID } }))).toBe(404);
  });
});
