import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldClient } from './field-client.ts';
import { askWith, createFieldClient, list, ok, record } from './field-client.ts';

/*
 * Requests of the field SDK (Python package `actionstreamer`, modules WebService/Device, EventPreset, File, Setting) and
 * the description of its platform (api-evangelist/actionstreamer, commit 4225757d, openapi/_original). The SDK takes
 * status 200 for success.
 */

let client: FieldClient;
beforeAll(async () => {
  client = await createFieldClient();
});

describe('set_device_run_analytics', () => {
  const device = async () => record(await ok(client.ask('GET', `/v1/device/${client.deviceID}`)));

  test('switches the captions of a device', async () => {
    const path = `/v1/device/${client.deviceID}/runanalytics`;
    await ok(client.ask('POST', `${path}/0`));
    expect(await device()).toMatchObject({ autoCaption: false });
    await ok(client.ask('POST', `${path}/1`));
    expect(await device()).toMatchObject({ autoCaption: true });
  });

  test.each(['2', '-1', 'true', 'x'])('refuses %s', async (value) => {
    const answer = await client.ask('POST', `/v1/device/${client.deviceID}/runanalytics/${value}`);
    expect(answer.status).toBe(400);
  });
});

describe('set_startup_preset', () => {
  const preset = async (more: object) =>
    Number(record(await ok(client.ask('POST', '/v1/eventpreset', { eventType: 'Start_recording', ...more }))).key);
  const readyPreset = async (deviceID = client.deviceID) =>
    record(await ok(client.ask('GET', `/v1/device/${deviceID}/ready`))).eventPresetID;

  // The SDK sends `offline` by default, and `online` for its offline preset.
  test.each(['online', 'offline'])('%s is the ready preset, which the device gets when it is ready', async (state) => {
    const { ask, deviceID, serial } = client;
    const presetID = await preset({ deviceID });
    await ok(ask('POST', `/v1/eventpreset/startupevent/${state}/${presetID}`, { deviceID, deviceGroupID: 0 }));
    expect(await readyPreset()).toBe(presetID);
    const before = list(await ok(ask('POST', '/v1/event/list', { deviceID }))).length;
    await ok(ask('POST', '/v1/device/ready', { deviceName: serial, deviceSerial: serial, agentType: 'Device' }));
    expect(list(await ok(ask('POST', '/v1/event/list', { deviceID })))).toHaveLength(before + 1);
    await ok(ask('DELETE', `/v1/eventpreset/startupevent/${state}/device/${deviceID}`));
    expect(await readyPreset()).toBeUndefined();
  });

  test('without a device, that of the preset', async () => {
    const presetID = await preset({ deviceID: client.deviceID });
    await ok(client.ask('POST', `/v1/eventpreset/startupevent/offline/${presetID}`, { deviceID: 0, deviceGroupID: 0 }));
    expect(await readyPreset()).toBe(presetID);
  });

  test('for all devices of a group, or for none', async () => {
    const { owner, ask, server } = client;
    const add = async (by = owner) =>
      (await by.session.createDevice({ body: { deviceSerial: `g-${randomUUID()}` } })).key ?? 0;
    const [one, two] = [await add(), await add()];
    const { key: deviceGroupID = 0 } = await owner.session.createCollection({ body: { collectionName: 'Barn' } });
    const params = { collectionItemID: deviceGroupID };
    for (const itemID of [one, two]) {
      await owner.session.addCollectionItem({ params, body: { itemType: 'device', itemID } });
    }
    const presetID = await preset({ deviceGroupID });
    const path = `/v1/eventpreset/startupevent/online/${presetID}`;
    // The device is ignored beside a group.
    await ok(ask('POST', path, { deviceID: client.deviceID, deviceGroupID }));
    expect([await readyPreset(one), await readyPreset(two)]).toEqual([presetID, presetID]);
    expect((await ask('POST', path, { deviceID: client.deviceID, deviceGroupID: 0 })).status).toBe(400);

    // A person who may only read the group changes nothing.
    const reader = await server.addPerson();
    await owner.session.addCollectionItem({ params, body: { itemType: 'user', itemID: reader.userID } });
    const asReader = await askWith(server, reader);
    expect((await asReader('POST', path, { deviceID: 0, deviceGroupID })).status).toBe(403);
    expect((await asReader('POST', path, { deviceID: one, deviceGroupID: 0 })).status).toBe(403);
    const stranger = await askWith(server, await server.addPerson());
    expect((await stranger('POST', path, { deviceID: 0, deviceGroupID })).status).toBe(404);
  });

  test('another state, another group and an unknown preset are refused', async () => {
    const presetID = await preset({ deviceID: client.deviceID });
    const post = (path: string, body: object) => client.ask('POST', `/v1/eventpreset/startupevent/${path}`, body);
    expect((await post(`standalone/${presetID}`, {})).status).toBe(400);
    expect((await post(`online/${presetID}`, { deviceGroupID: 999_999 })).status).toBe(404);
    expect((await post('online/999999', {})).status).toBe(404);
    const nowhere = await preset({});
    expect((await post(`online/${nowhere}`, {})).status).toBe(400);
  });
});

describe('create_temp_file', () => {
  const bytes = Buffer.from('a file for a day');
  const given = () => ({
    deviceName: client.serial,
    filename: 'a.bin',
    fileSize: bytes.length,
    sHA256Hash: createHash('sha256').update(bytes).digest('hex'),
    deviceSerial: client.serial,
  });
  const hoursLeft = async (fileID: unknown) => {
    const [row] = await client.server.db<{ hours: number | null }[]>`
      select (extract(epoch from sweep_date - now()) / 3600)::float as hours from files where key = ${Number(fileID)}`;
    return row?.hours ?? undefined;
  };

  test('is uploaded like any file, and due for removal after a day', async () => {
    const { ask } = client;
    const file = record(await ok(ask('POST', '/v1/file/temp', given())));
    expect(file).toMatchObject({ fileLocation: file.signedURL, fileID: file.key });
    expect((await fetch(String(file.fileLocation), { method: 'PUT', body: bytes })).status).toBe(200);
    await ok(ask('POST', `/v1/file/success/${String(file.fileID)}`, { deviceSerial: client.serial }));
    expect(record(await ok(ask('GET', `/v1/file/${String(file.fileID)}`)))).toMatchObject({ fileStatus: 1 });
    expect(await hoursLeft(file.fileID)).toBeLessThanOrEqual(24);
    expect(await hoursLeft(file.fileID)).toBeGreaterThan(22);
  });

  test('of a person too, and not of a file that is kept', async () => {
    const { deviceName: _name, deviceSerial: _serial, ...own } = given();
    const file = record(await ok(client.ask('POST', '/v1/file/temp', own)));
    expect(await hoursLeft(file.fileID)).toBeGreaterThan(22);
    const kept = record(await ok(client.ask('POST', '/v1/file', own)));
    expect(await hoursLeft(kept.fileID)).toBeUndefined();
  });
});

describe('get_user_setting', () => {
  test('by either name of the parameter; values of one person only', async () => {
    const { ask, server, owner } = client;
    await ok(ask('PUT', '/v1/usersetting', { name: 'theme', value: 'dark' }));
    expect(record(await ok(ask('GET', '/v1/usersetting?settingname=theme')))).toMatchObject({
      settingName: 'theme',
      settingValue: 'dark',
      userID: owner.userID,
    });
    await ok(ask('PUT', '/v1/usersetting?setting_name=theme', { settingValue: 7 }));
    expect(record(await ok(ask('GET', '/v1/usersetting?setting_name=theme'))).settingValue).toBe('7');
    expect(list(await ok(ask('GET', '/v1/usersetting/list')))).toHaveLength(1);

    const other = await askWith(server, await server.addPerson());
    expect((await other('GET', '/v1/usersetting?settingname=theme')).status).toBe(404);
    expect((await other('GET', `/v1/usersetting?settingname=theme&userid=${owner.userID}`)).status).toBe(403);
    expect((await other('PUT', `/v1/usersetting?userid=${owner.userID}`, { name: 'a', value: 'b' })).status).toBe(403);
    expect((await other('DELETE', `/v1/usersetting?settingname=theme&userid=${owner.userID}`)).status).toBe(403);
    expect((await other('GET', `/v1/usersetting/list?userid=${owner.userID}`)).status).toBe(403);
    const admin = await askWith(server, server.admin);
    await ok(admin('GET', `/v1/usersetting?settingname=theme&userid=${owner.userID}`));
    expect((await admin('PUT', '/v1/usersetting?userid=999999', { name: 'a', value: 'b' })).status).toBe(404);

    await ok(ask('DELETE', '/v1/usersetting?settingname=theme'));
    expect((await ask('GET', '/v1/usersetting?settingname=theme')).status).toBe(404);
    expect((await ask('DELETE', '/v1/usersetting?settingname=theme')).status).toBe(404);
  });

  test.each([
    ['GET', '/v1/usersetting', undefined],
    ['GET', '/v1/usersetting?setting_name=a&settingname=b', undefined],
    ['PUT', '/v1/usersetting', { name: 'a' }],
    ['PUT', '/v1/usersetting?setting_name=b', { name: 'a', value: 'c' }],
    ['PUT', '/v1/usersetting', { name: 'a\u0000', value: 'c' }],
  ] as const)('%s %s %j is refused', async (method, path, body) => {
    expect((await client.ask(method, path, body)).status).toBe(400);
  });

  test('a device key has no settings of a person', async () => {
    const { owner, deviceID, server } = client;
    const { credential } = await owner.withKey({ deviceID });
    const authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
    const answer = await fetch(new URL('/v1/usersetting/list', server.url), { headers: { authorization } });
    expect(answer.status).toBe(403);
  });
});

test.each(['', '?alldevices=', '?alldevices=false', '?alldevices=0'])('a list of clips with %j', async (query) => {
  const { key } = await client.announce();
  const { ask, deviceID } = client;
  const found = list(await ok(ask('POST', `/v1/audioclip/list${query}`, { deviceID })));
  expect(found.map((clip) => clip.key)).toContain(key);
});
