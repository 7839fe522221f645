import type { Client } from '@earshot/client/client';
import { operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';

/** The fields in the specification, and in CONTRACT.md where the specification has none. */
const modified = ['createdBy', 'lastModifiedDate', 'lastModifiedBy'];
const agentFields = [
  'key',
  'userID',
  'deviceID',
  'agentTypeID',
  'agentIndex',
  'currentEventID',
  'processID',
  'version',
  'agentName',
  'agentDescription',
  'recentOutput',
  'lastHeardFromDate',
  'creationDate',
  ...modified,
];
const records: Readonly<Record<string, readonly string[]>> = {
  Agent: agentFields,
  AgentWithNames: [...agentFields, 'deviceName', 'agentType'],
  AgentType: ['key', 'agentTypeName', 'detailedDescription', 'creationDate', ...modified],
  APIKey: [
    'key',
    'userID',
    'appID',
    'aPIKeyDescription',
    'accessKey',
    'secretKey',
    'status',
    'lastAccessDate',
    'creationDate',
    ...modified,
  ],
  CollectionItem: ['key', 'collectionID', 'userID', 'itemTypeID', 'itemID', 'creationDate', ...modified],
  Collection: ['key', 'userID', 'collectionName', 'collectionDescription', 'memberAccess', 'creationDate', ...modified],
  Device: [
    'key',
    'userID',
    'deviceName',
    'deviceSerial',
    'serialNumber',
    'deviceDescription',
    'timeZone',
    'retentionDays',
    'autoCaption',
    'captionEngine',
    'isRadio',
    'lastHeardFromDate',
    'online',
    'creationDate',
    ...modified,
  ],
  DeviceHealth: ['key', 'deviceID', 'healthDate', 'healthJSON', 'creationDate'],
  LogMessage: ['key', 'deviceID', 'agentID', 'processID', 'version', 'level', 'message', 'messageDate', 'creationDate'],
  DeviceSetting: [
    'key',
    'deviceID',
    'settingName',
    'settingValue',
    'wantedValue',
    'reportedValue',
    'isDifferent',
    'creationDate',
    ...modified,
  ],
  User: ['key', 'email', 'displayName', 'role', 'disabled', 'creationDate', 'lastSignInDate'],
};

const requests: Readonly<Record<string, readonly string[]>> = {
  RegisterAgent: ['deviceName', 'deviceSerial', 'agentType', 'agentVersion', 'agentIndex', 'processID'],
  DateAndCountFilter: ['deviceID', 'startDate', 'endDate', 'count', 'order'],
  EventFilter: ['deviceID', 'startDate', 'endDate', 'count', 'order', 'eventState'],
  CreateCollectionItem: ['itemType', 'itemID'],
  AgentUpdate: ['currentEventID', 'processID', 'agentName', 'agentDescription', 'recentOutput'],
  APIKeyUpdate: ['aPIKeyDescription'],
};

let server: TestServer;
let send: Send;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  client = server.admin.session;
});
afterAll(() => server.stop());

interface Schema {
  readonly title?: string;
  readonly properties?: object;
  readonly items?: Schema;
}

describe('the declared records', () => {
  const declared = new Map<string, readonly string[]>();
  for (const [, { body, answer }] of operationList) {
    for (const schema of [body, answer] as (Schema | undefined)[]) {
      const record = schema?.items ?? schema;
      if (record?.title && record.properties) declared.set(record.title, Object.keys(record.properties));
    }
  }

  test.each([...Object.entries(records), ...Object.entries(requests)])(
    '%s has the fields of the specification',
    (title, fields) => {
      expect(declared.get(title)?.toSorted()).toEqual(fields.toSorted());
    },
  );
});

const namesOf = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();
const all = (title: string, ...without: string[]) =>
  records[title]!.filter((name) => !without.includes(name)).toSorted();

/** A device and an agent on it, with all optional fields set. */
async function filledAgent(deviceSerial: string) {
  const device = await client.createDevice({
    body: {
      deviceSerial,
      deviceName: 'Name',
      deviceDescription: 'Text',
      timeZone: 'Europe/Zurich',
      retentionDays: 3,
      captionEngine: 'accurate',
    },
  });
  const deviceID = device.key ?? 0;
  await client.updateDevice({ params: { deviceID }, body: { deviceName: 'Other' } });
  const registered = await client.registerAgent({
    body: { deviceSerial, agentType: 'Audio', agentVersion: '1', agentIndex: 2, processID: 3 },
  });
  const agentID = registered.key ?? 0;
  const body = { currentEventID: 4, agentName: 'a', agentDescription: 'b', recentOutput: 'c' };
  await client.updateAgent({ params: { agentID }, body });
  return { deviceID, agentID };
}

describe('responses have exactly the fields of their record', () => {
  test('agents, complete and just registered', async () => {
    const { agentID, deviceID } = await filledAgent('fields-agent');
    expect(namesOf((await send(`GET /v1/agent/${agentID}`)).json)).toEqual(all('Agent'));
    const patched = await send(`PATCH /v1/agent/${agentID}`, { json: [{ fieldName: 'processID', value: 5 }] });
    expect(namesOf(patched.json)).toEqual(all('Agent'));
    const [listed] = (await send('POST /v1/agent/list', { json: { deviceID } })).json as object[];
    expect(namesOf(listed)).toEqual(all('AgentWithNames'));

    const bare = await send('POST /v1/agent', { json: { deviceSerial: 'fields-agent', agentType: 'Device' } });
    const unset = ['currentEventID', 'processID', 'version', 'agentName', 'agentDescription', 'recentOutput'];
    expect(namesOf(bare.json)).toEqual(all('Agent', ...unset, 'lastModifiedDate', 'lastModifiedBy'));
  });

  test('devices', async () => {
    const { deviceID } = await filledAgent('fields-device');
    expect(namesOf((await send(`GET /v1/device/${deviceID}`)).json)).toEqual(all('Device'));
    const [listed] = (await send('POST /v1/device/list', { json: { searchText: 'fields-device' } })).json as object[];
    expect(namesOf(listed)).toEqual(all('Device'));
    const named = await send('POST /v1/device/name', { json: { deviceSerial: 'fields-device' } });
    expect(namesOf(named.json)).toEqual(all('Device'));

    const bare = await send('POST /v1/device', { json: { deviceSerial: 'fields-bare' } });
    const unset = [
      'deviceDescription',
      'retentionDays',
      'captionEngine',
      'lastHeardFromDate',
      'lastModifiedDate',
      'lastModifiedBy',
    ];
    expect(namesOf(bare.json)).toEqual(all('Device', ...unset));
  });

  test('API keys, with the secret only at their creation', async () => {
    const created = (await send('POST /v1/apikey')).json as { key: number; accessKey: string; secretKey: string };
    const unset = ['appID', 'aPIKeyDescription', 'lastAccessDate', 'lastModifiedDate', 'lastModifiedBy'];
    expect(namesOf(created)).toEqual(all('APIKey', ...unset));
    await send(`PUT /v1/apikey/${created.key}`, { json: { aPIKeyDescription: 'Nightly' } });
    const authorization = `Basic ${btoa(`${created.accessKey}:${created.secretKey}`)}`;
    expect((await sender(server.url)('GET /v1/agenttype/list', { headers: { authorization } })).status).toBe(200);

    expect(namesOf((await send(`GET /v1/apikey/${created.key}`)).json)).toEqual(all('APIKey', 'appID', 'secretKey'));
    const [listed] = (await send('GET /v1/apikey/list')).json as object[];
    expect(namesOf(listed)).toEqual(all('APIKey', 'appID', 'secretKey'));

    const { deviceID } = await filledAgent('fields-key');
    const deviceKey = await send(`POST /v1/device/${deviceID}/apikey`);
    const unsetOfDevice = unset.filter((name) => name !== 'aPIKeyDescription');
    expect(namesOf(deviceKey.json)).toEqual(all('APIKey', ...unsetOfDevice));
    const [ofDevice] = (await send(`GET /v1/device/${deviceID}/apikey/list`)).json as object[];
    expect(namesOf(ofDevice)).toEqual([...all('APIKey', ...unsetOfDevice, 'secretKey'), 'isWriteOnly'].toSorted());
  });

  test('collections and their items', async () => {
    const body = { collectionName: 'Harbour', collectionDescription: 'Quay' };
    const created = (await send('POST /v1/collection', { json: body })).json as { key: number };
    const never = ['lastModifiedDate', 'lastModifiedBy'];
    expect(namesOf(created)).toEqual(all('Collection', ...never));
    await send(`PUT /v1/collection/${created.key}`, { json: { memberAccess: 'write' } });
    expect(namesOf((await send(`GET /v1/collection/${created.key}`)).json)).toEqual(all('Collection'));
    const [listed] = (await send('GET /v1/collection/list')).json as object[];
    expect(namesOf(listed)).toEqual(all('Collection'));

    const place = { itemType: 'user', itemID: server.admin.userID };
    const item = (await send(`POST /v1/collectionitem/${created.key}`, { json: place })).json as { key: number };
    const answers: readonly unknown[] = [
      item,
      (await send(`GET /v1/collectionitem/${item.key}`)).json,
      ((await send('GET /v1/collectionitem/list')).json as object[])[0],
      ((await send(`GET /v1/collection/${created.key}/items`)).json as object[])[0],
    ];
    for (const answer of answers) expect(namesOf(answer)).toEqual(all('CollectionItem', ...never));
  });

  test('agent types', async () => {
    const types = (await send('GET /v1/agenttype/list')).json as { agentTypeName: string }[];
    for (const type of types) expect(namesOf(type)).toEqual(all('AgentType', ...modified));
    expect(types.map(({ agentTypeName }) => agentTypeName)).toEqual([
      'Device',
      'Audio',
      'Transfer',
      'Transcoding',
      'Caption',
    ]);
  });

  test('people: all fields for an admin and the person, those for sharing for others', async () => {
    const member = await server.addPerson();
    await client.updateUser({ params: { userID: member.userID }, body: { displayName: 'Ada' } });
    const asMember = sender(server.url, { cookie: member.cookie });
    expect(namesOf((await send(`GET /v1/user/${member.userID}`)).json)).toEqual(all('User'));
    expect(namesOf((await asMember(`GET /v1/user/${member.userID}`)).json)).toEqual(all('User'));

    const other = await server.addPerson();
    const asOther = sender(server.url, { cookie: other.cookie });
    expect(namesOf((await asOther(`GET /v1/user/${member.userID}`)).json)).toEqual(['displayName', 'email', 'key']);
    const people = (await asOther('GET /v1/user/list')).json as { key: number }[];
    const listed = people.find(({ key }) => key === member.userID);
    expect(namesOf(listed)).toEqual(['displayName', 'email', 'key']);
  });
});

describe('lists', () => {
  test('are included when empty', async () => {
    const nobody = await server.addPerson();
    const asNobody = sender(server.url, { cookie: nobody.cookie });
    for (const line of ['GET /v1/apikey/list', 'GET /v1/collection/list', 'GET /v1/collectionitem/list']) {
      expect([line, (await asNobody(line)).text]).toEqual([line, '[]']);
    }
    for (const line of ['POST /v1/device/list', 'POST /v1/agent/list']) {
      expect([line, (await asNobody(line, { json: {} })).text]).toEqual([line, '[]']);
    }
  });
});

describe('unset fields', () => {
  const nulls = (value: unknown): boolean =>
    value === null || (typeof value === 'object' && Object.values(value).some(nulls));

  test('are omitted from every response, never null', async () => {
    const device = await client.createDevice({ body: { deviceSerial: 'unset' } });
    const agent = await client.registerAgent({ body: { deviceSerial: 'unset', agentType: 'Audio' } });
    const collection = await client.createCollection({ body: { collectionName: 'Unset' } });
    const answers: Answer[] = [];
    for (const line of [
      `GET /v1/agent/${agent.key}`,
      `GET /v1/device/${device.key}`,
      `GET /v1/collection/${collection.key}`,
      'GET /v1/session',
      'GET /v1/session/list',
      'GET /v1/user/list',
      'GET /v1/apikey/list',
      'GET /v1/collection/list',
      'GET /v1/collectionitem/list',
      'GET /v1/agenttype/list',
    ]) {
      answers.push(await send(line));
    }
    for (const line of ['POST /v1/device/list', 'POST /v1/agent/list']) answers.push(await send(line, { json: {} }));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(nulls(answer.json), answer.text).toBe(false);
    }
  });
});
