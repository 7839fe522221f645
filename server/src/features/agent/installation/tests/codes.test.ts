import { randomUUID } from 'node:crypto';
import { createClient } from '@earshot/client/client';
import { readCode } from '@earshot/contract/installation';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer({ trustProxy: ['127.0.0.0/8'] });
  owner = await server.addPerson();
});
afterAll(() => server.stop());
beforeEach(() => server.db`delete from sign_in_attempts`);

const addDevice = async (person = owner): Promise<{ deviceID: number; deviceSerial: string }> => {
  const deviceSerial = randomUUID();
  const { key: deviceID = 0 } = await person.session.createDevice({ body: { deviceSerial } });
  return { deviceID, deviceSerial };
};
const makeCode = async (deviceID: number, person = owner): Promise<string> =>
  (await person.session.createInstallationCode({ params: { deviceID } })).code ?? '';

/** From an address of its own, so that the failures of one test do not slow down another. */
let lastAddress = 0;
async function exchange(code: string, address = `192.0.2.${(lastAddress += 1)}`, url = server.url) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const response = await fetch(`${url}/v1/installation`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, string>,
  };
}

test('a code gives a key of its device once, however it is typed', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  const code = await makeCode(deviceID);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  const { status, body, headers } = await exchange(` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}`);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ deviceSerial });
  const { accessKey = '', secretKey = '' } = body;
  const client = createClient({ url: server.url, credential: { accessKey, secretKey } });
  expect(await client.registerAgent({ body: { deviceSerial, agentType: 'Device', processID: 1 } })).toBeDefined();
  await expect(client.createEvent({ body: { deviceID, eventType: 'Reboot' } })).rejects.toMatchObject({ status: 403 });
  expect((await exchange(code)).status).toBe(401);
});

test('wrong, used, expired and replaced codes get the same answer', async () => {
  const { deviceID } = await addDevice();
  const [used, expired, replaced] = [
    await makeCode(deviceID),
    await makeCode((await addDevice()).deviceID),
    await makeCode((await addDevice()).deviceID),
  ];
  await exchange(used);
  await server.db`update installation_codes set expiration_date = now() where device_id = ${deviceID + 1}`;
  await makeCode(deviceID + 2);
  const answers = await Promise.all(
    [used, expired, replaced, '0000-0000-0000', 'nonsense'].map((code) => exchange(code)),
  );
  const shown = answers.map(({ status, body }) => ({ status, detail: body['detail'], title: body['title'] }));
  expect(shown.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(shown.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test('of concurrent exchanges of one code on two nodes, one gets a key', async () => {
  const other = await server.addNode();
  for (let round = 0; round < 5; round += 1) {
    const { deviceID } = await addDevice();
    const code = await makeCode(deviceID);
    await server.db`delete from sign_in_attempts`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => exchange(code, undefined, at % 2 ? other.url : server.url)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((low, high) => low - high);
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    expect(await owner.session.listDeviceKeys({ params: { deviceID } })).toMatchObject([{ isWriteOnly: true }]);
  }
});

test('an address that guesses must wait; another address need not', async () => {
  const code = await makeCode((await addDevice()).deviceID);
  const guesses: number[] = [];
  for (let guess = 0; guess < 8; guess += 1) guesses.push((await exchange('0000-0000-0000', '198.51.100.7')).status);
  expect(guesses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(guesses.slice(5)).toContain(429);
  const refused = await exchange(code, '198.51.100.7');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body['detail']).toContain('too many failed installation codes');
  expect((await exchange(code, '198.51.100.8')).status).toBe(200);
});

test('after many guesses from many addresses, every address waits before its attempt, and then succeeds', async () => {
  const code = await makeCode((await addDevice()).deviceID);
  for (let guess = 0; guess < 21; guess += 1) await exchange('0000-0000-0000', `203.0.113.${guess}`);
  const honest = '203.0.113.200';
  const first = await exchange(code, honest);
  expect(first).toMatchObject({ status: 429 });
  expect(first.headers.get('retry-after')).toBe('10');
  // Ten seconds pass.
  await server.db`update sign_in_attempts set blocked_until = blocked_until - interval '11 seconds'`;
  expect((await exchange(code, honest)).status).toBe(200);
});

test('a code of a person who lost the right, was disabled, or whose device was removed does not work', async () => {
  const [lost, disabled] = [await server.addPerson(), await server.addPerson()];
  const shared = await addDevice();
  const { key: collectionItemID = 0 } = await owner.session.createCollection({
    body: { collectionName: 'Shared', memberAccess: 'write' },
  });
  const add = (itemType: 'device' | 'user', itemID: number) =>
    owner.session.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
  await add('device', shared.deviceID);
  const { key: itemID = 0 } = await add('user', lost.userID);
  const ofLost = await makeCode(shared.deviceID, lost);
  await owner.session.removeCollectionItem({ params: { collectionItemID: itemID } });
  const ofDisabled = await makeCode((await addDevice(disabled)).deviceID, disabled);
  await server.admin.session.updateUser({ params: { userID: disabled.userID }, body: { disabled: true } });
  const removed = await addDevice();
  const ofRemoved = await makeCode(removed.deviceID);
  await owner.session.deleteDevice({ params: { deviceID: removed.deviceID } });
  for (const code of [ofLost, ofDisabled, ofRemoved]) expect((await exchange(code)).status).toBe(401);
});

test('neither the code nor the key is stored in clear or logged', async () => {
  const { deviceID } = await addDevice();
  const code = await makeCode(deviceID);
  const plain = readCode(code) ?? '';
  const [row] = await server.db<{ stored: Buffer }[]>`
    select code_hash as stored from installation_codes where device_id = ${deviceID}`;
  expect(row?.stored).toHaveLength(32);
  expect(row?.stored.toString('latin1')).not.toContain(plain);
  const { body } = await exchange(code);
  const log = JSON.stringify(server.log.lines);
  expect(log.length).toBeGreaterThan(100);
  for (const secret of [code, plain, body['secretKey']]) expect(log).not.toContain(secret);
});
