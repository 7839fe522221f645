import { createClient } from '@earshot/client/client';
import { operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, basic } from './ask.ts';
import { addDevice, statusOf } from './places.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('an API key', () => {
  test('shows its secret only in the response to its creation', async () => {
    const person = await server.addPerson();
    const made = await person.session.createApiKey();
    expect(made).toMatchObject({ userID: person.userID, status: 1 });
    expect(made.accessKey).toMatch(/^[A-Za-z0-9]+$/);
    expect(made.secretKey?.length).toBeGreaterThanOrEqual(32);

    const params = { apiKeyID: made.key ?? 0 };
    const description = 'Nightly export';
    // Clients send the whole record back; only the description is changed.
    const whole = { ...made, aPIKeyDescription: description, accessKey: 'EKOTHER', status: 0 };
    await person.session.updateApiKey({ params, body: whole });
    const { secretKey: _secret, ...rest } = made;
    expect(await person.session.getApiKey({ params })).toMatchObject({ ...rest, aPIKeyDescription: description });
    const answers = [
      await ask(server.url, 'GET', `/v1/apikey/${made.key}`, { headers: { cookie: person.cookie } }),
      await ask(server.url, 'GET', '/v1/apikey/list', { headers: { cookie: person.cookie } }),
      await ask(server.url, 'GET', '/v1/apikey/list', { headers: { cookie: server.admin.cookie } }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain(made.accessKey);
      expect(text).not.toContain('secretKey');
    }
  });

  test('has the rights of its owner, and requires the complete secret', async () => {
    const person = await server.addPerson();
    const { client, credential } = await person.withKey();
    const device = await client.createDevice({ body: { deviceSerial: 'made-by-key' } });
    expect(device).toMatchObject({ userID: person.userID, createdBy: person.userID });
    const { accessKey, secretKey } = credential;
    const listWith = async (name: string, secret: string) =>
      (await ask(server.url, 'POST', '/v1/device/list', { headers: basic(name, secret), body: {} })).status;
    expect(await listWith(accessKey, secretKey)).toBe(200);
    const wrong = [
      [accessKey, ''],
      [accessKey, secretKey.slice(0, -1)],
      [accessKey, `${secretKey}x`],
      [accessKey.toLowerCase(), secretKey],
      ['', secretKey],
      [`${accessKey}\0`, secretKey],
    ] as const;
    for (const [name, secret] of wrong) expect(await listWith(name, secret)).toBe(401);
    for (const authorization of ['Basic', 'Basic !!!', 'Bearer x', '', 'Basic Zm9v']) {
      const asked = { headers: { authorization }, body: {} };
      expect((await ask(server.url, 'POST', '/v1/device/list', asked)).status).toBe(401);
    }
  });

  test('is used instead of a cookie in the same request', async () => {
    const person = await server.addPerson();
    const headers = { cookie: person.cookie, ...basic('EKNOBODY', 'x') };
    expect((await ask(server.url, 'POST', '/v1/device/list', { headers, body: {} })).status).toBe(401);
  });

  test('cannot manage keys, users or sessions, even if it is an admin’s', async () => {
    const { credential } = await server.admin.withKey();
    const headers = basic(credential.accessKey, credential.secretKey);
    const managing = operationList.filter(
      ([, { path, access }]) => access !== 'anyone' && /^\/v1\/(apikey|user|session)\b|\/apikey\b/.test(path),
    );
    expect(managing.length).toBeGreaterThan(15);
    for (const [name, { method, path }] of managing) {
      const answer = await ask(server.url, method, path.replaceAll(/\{\w+\}/g, '1'), { headers });
      expect([name, answer.status]).toEqual([name, 403]);
    }
  });

  test('has the time of its last use on any node', async () => {
    const person = await server.addPerson();
    const second = await server.addNode();
    const { client, credential, apiKeyID } = await person.withKey();
    const lastAccess = async () => (await person.session.getApiKey({ params: { apiKeyID } })).lastAccessDate;
    expect(await lastAccess()).toBeUndefined();
    await client.listDevices({ body: {} });
    expect(await lastAccess()).toBeDefined();

    const longAgo = '2020-01-01T00:00:00.000Z';
    await server.db`update api_keys set last_access_date = ${longAgo} where key = ${apiKeyID}`;
    expect(await lastAccess()).toBe(longAgo);
    await createClient({ url: second.url, credential: { ...credential, signed: true } }).listDevices({ body: {} });
    await expect.poll(lastAccess).not.toBe(longAgo);
    const [listed] = await person.session.listApiKeys();
    expect(listed?.lastAccessDate).toBe(await lastAccess());
  });
});

describe('a device key', () => {
  test('can register, report and read for its device, and nothing else', async () => {
    const person = await server.addPerson();
    const [device, other] = [await addDevice(person), await addDevice(person)];
    const { client, apiKeyID } = await person.withKey({ deviceID: device.key });
    const register = (deviceSerial = '') => client.registerAgent({ body: { deviceSerial, agentType: 'Audio' } });
    const { key: agentID = 0 } = await register(device.deviceSerial);
    const params = { agentID };
    await client.updateAgent({ params, body: { recentOutput: 'recording' } });
    expect(await client.getAgent({ params })).toMatchObject({ deviceID: device.key, recentOutput: 'recording' });
    expect((await client.listDevices({ body: {} })).map(({ key }) => key)).toEqual([device.key]);

    expect(await statusOf(register(other.deviceSerial))).toBe(400);
    expect(await statusOf(client.getDevice({ params: { deviceID: other.key } }))).toBe(404);
    expect(await statusOf(client.findDeviceByName({ body: { deviceSerial: other.deviceSerial ?? '' } }))).toBe(404);
    expect(await statusOf(client.listAgents({ body: { deviceID: other.key } }))).toBe(404);
    const { updateDevice, deleteDevice, createDevice, listCollections } = client;
    const forbidden = [
      updateDevice({ params: { deviceID: device.key }, body: { deviceName: 'Mine' } }),
      deleteDevice({ params: { deviceID: device.key } }),
      createDevice({ body: { deviceSerial: 'another' } }),
      listCollections(),
    ];
    expect(await Promise.all(forbidden.map(statusOf))).toEqual([403, 403, 403, 403]);
    expect((await person.session.listDeviceKeys({ params: { deviceID: device.key } })).map(({ key }) => key)).toEqual([
      apiKeyID,
    ]);
  });

  test('of an admin gives access to one device only', async () => {
    const device = await addDevice(server.admin);
    const other = await addDevice(await server.addPerson());
    const { client } = await server.admin.withKey({ deviceID: device.key });
    expect(await statusOf(client.getDevice({ params: { deviceID: device.key } }))).toBe(200);
    expect(await statusOf(client.getDevice({ params: { deviceID: other.key } }))).toBe(404);
    expect((await client.listDevices({ body: {} })).map(({ key }) => key)).toEqual([device.key]);
  });

  test('is visible to its creator, the owner of the device and an admin only, who can delete it', async () => {
    const [owner, writer, reader] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
    const device = await addDevice(owner);
    const { key: collectionItemID = 0 } = await owner.session.createCollection({
      body: { collectionName: 'Lent', memberAccess: 'write' },
    });
    const put = (itemType: 'device' | 'user', itemID: number) =>
      owner.session.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
    await put('device', device.key);
    for (const { userID } of [writer, reader]) await put('user', userID);
    const { apiKeyID } = await writer.withKey({ deviceID: device.key });
    const params = { apiKeyID };
    const seen = await Promise.all(
      [owner, writer, reader, server.admin].map((each) => statusOf(each.session.getApiKey({ params }))),
    );
    expect(seen).toEqual([200, 200, 404, 200]);
    expect(await statusOf(reader.session.deleteApiKey({ params }))).toBe(404);
    expect(await statusOf(owner.session.deleteApiKey({ params }))).toBe(200);
  });
});
