import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import { createPeople, personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { addDevice, statusOf } from './places.ts';

// Nodes cache credentials, so each revocation must reach the other nodes before it is answered.
let server: TestServer;
let second: string;
let third: string;
beforeAll(async () => {
  server = await startTestServer();
  second = (await server.addNode()).url;
  third = (await server.addNode()).url;
});
afterAll(() => server.stop());

type Use = (url: string) => Promise<number>;

const withCookie =
  (cookie: string): Use =>
  async (url) =>
    (await ask(url, 'GET', '/v1/session', { headers: { cookie } })).status;

async function withKey(person: Person, deviceID?: number, signed = false): Promise<{ use: Use; apiKeyID: number }> {
  const { credential, apiKeyID } = await person.withKey(deviceID === undefined ? { signed } : { deviceID, signed });
  const use: Use = (url) => statusOf(createClient({ url, credential }).listDevices({ body: {} }));
  return { use, apiKeyID };
}

const otherSession = async ({ email }: Person) => createPeople(server.url).signIn(email, personPassword);

interface Ending {
  readonly use: Use;
  readonly end: () => Promise<unknown>;
}

const endings: Readonly<Record<string, (person: Person) => Promise<Ending>>> = {
  'deleting an API key': async (person) => {
    const { use, apiKeyID } = await withKey(person);
    return { use, end: () => person.session.deleteApiKey({ params: { apiKeyID } }) };
  },
  'deleting an API key that signs': async (person) => {
    const { use, apiKeyID } = await withKey(person, undefined, true);
    return { use, end: () => person.session.deleteApiKey({ params: { apiKeyID } }) };
  },
  'deleting the device of a key': async (person) => {
    const deviceID = (await addDevice(person)).key;
    const { use } = await withKey(person, deviceID);
    return { use, end: () => person.session.deleteDevice({ params: { deviceID } }) };
  },
  'signing out': async (person) => ({ use: withCookie(person.cookie), end: () => person.session.deleteSession() }),
  'ending a session': async (person) => {
    const other = await otherSession(person);
    const { key: sessionID = 0 } = await other.session.getSession();
    return { use: withCookie(other.cookie), end: () => person.session.endSession({ params: { sessionID } }) };
  },
  'changing the password elsewhere': async (person) => {
    const body = { oldPassword: personPassword, newPassword: 'another fine phrase' };
    return { use: withCookie((await otherSession(person)).cookie), end: () => person.session.changePassword({ body }) };
  },
  'using a password reset': async (person) => {
    const { token } = await server.admin.session.createPasswordReset({ params: { userID: person.userID } });
    const body = { token, password: 'another fine phrase' };
    return { use: withCookie(person.cookie), end: () => server.admin.session.usePasswordReset({ body }) };
  },
  'disabling a person with a session': async (person) => ({
    use: withCookie(person.cookie),
    end: () => disable(server.admin.session, person),
  }),
  'disabling a person with a key': async (person) => ({
    use: (await withKey(person)).use,
    end: () => disable(server.admin.session, person),
  }),
  'removing a person with a key': async (person) => ({
    use: (await withKey(person)).use,
    end: () => server.admin.session.deleteUser({ params: { userID: person.userID } }),
  }),
};

const disable = (session: Client, { userID }: Person) =>
  session.updateUser({ params: { userID }, body: { disabled: true } });

test.each(Object.entries(endings))('%s stops the credential on every node at once', async (_name, arrange) => {
  const nodes = [server.url, second, third];
  const { use, end } = await arrange(await server.addPerson());
  // Twice each, so that every node uses its cache for the second.
  for (const url of [...nodes, ...nodes]) expect(await use(url)).toBe(200);
  await end();
  expect(await Promise.all(nodes.map(use))).toEqual([401, 401, 401]);
});

test('a lowered role takes effect on every node at once', async () => {
  const admin = await server.addPerson({ role: 'admin' });
  const device = await addDevice(await server.addPerson());
  const nodes = [server.url, second, third];
  const headers = { cookie: admin.cookie };
  const readDevice = async (url: string) => (await ask(url, 'GET', `/v1/device/${device.key}`, { headers })).status;
  expect(await Promise.all(nodes.map(readDevice))).toEqual([200, 200, 200]);
  await server.admin.session.updateUser({ params: { userID: admin.userID }, body: { role: 'member' } });
  expect(await Promise.all(nodes.map(readDevice))).toEqual([404, 404, 404]);
});
