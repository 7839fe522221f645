import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let owner: Person;
let send: Send;
beforeAll(async () => {
  server = await sharedTestServer();
  owner = await server.addPerson();
  send = sender(server.url, { cookie: owner.cookie });
  for (const [deviceSerial, deviceName] of [
    ['gate', 'North gate'],
    ['twin-1', 'Twin'],
    ['twin-2', 'Twin'],
    // The name of one device is the serial of another.
    ['roof', 'gate'],
    ['shed', 'twin-1'],
  ] as const) {
    await owner.session.createDevice({ body: { deviceSerial, deviceName } });
  }
});

const register = (body: object) => send('POST /v1/agent', { json: { agentType: 'Audio', ...body } });

/** The serial of the device that the agent was registered on. */
async function deviceOf(body: object): Promise<string> {
  const answer = await register(body);
  expect(answer.status, answer.text).toBe(200);
  const { deviceID } = answer.json as { deviceID: number };
  return (await owner.session.getDevice({ params: { deviceID } })).deviceSerial ?? '';
}

async function refusal(body: object): Promise<unknown> {
  const answer = await register(body);
  expect(answer.status, answer.text).toBe(400);
  return answer.json;
}

describe('the device is found', () => {
  test('by its serial', async () => {
    expect(await deviceOf({ deviceSerial: 'gate' })).toBe('gate');
  });

  test('by its name, when no serial is given', async () => {
    expect(await deviceOf({ deviceName: 'North gate' })).toBe('gate');
    expect(await deviceOf({ deviceName: 'North gate', deviceSerial: '' })).toBe('gate');
  });

  test('by the serial first: then the name is ignored', async () => {
    expect(await deviceOf({ deviceSerial: 'roof', deviceName: 'North gate' })).toBe('roof');
    expect(await refusal({ deviceSerial: 'nobody', deviceName: 'North gate' })).toContain('nobody');
  });

  test('by a name that matches no device but a serial', async () => {
    expect(await deviceOf({ deviceName: 'twin-2' })).toBe('twin-2');
  });

  test('by the name before the serial, if both match', async () => {
    expect(await deviceOf({ deviceName: 'gate' })).toBe('roof');
    expect(await deviceOf({ deviceName: 'twin-1' })).toBe('shed');
  });

  test('exactly, with the same case and not by a part', async () => {
    for (const deviceSerial of ['GATE', 'gat', 'gate '])
      expect(await refusal({ deviceSerial })).toContain(deviceSerial);
  });

  test('not if the name is ambiguous', async () => {
    expect(await refusal({ deviceName: 'Twin' })).toContain('Several devices are named Twin');
  });
});

describe('only devices that the caller may write count', () => {
  test('devices of others are unknown, and do not make a name ambiguous', async () => {
    await server.admin.session.createDevice({ body: { deviceSerial: 'hidden', deviceName: 'North gate' } });
    expect(await refusal({ deviceSerial: 'hidden' })).toContain('hidden');
    expect(await deviceOf({ deviceName: 'North gate' })).toBe('gate');
  });

  test('devices shared for reading are unknown too; those shared for writing count', async () => {
    const lender = await server.addPerson();
    const lent = await lender.session.createDevice({ body: { deviceSerial: 'lent' } });
    const collection = await lender.session.createCollection({ body: { collectionName: 'Lent' } });
    const params = { collectionItemID: collection.key ?? 0 };
    await lender.session.addCollectionItem({ params, body: { itemType: 'device', itemID: lent.key ?? 0 } });
    await lender.session.addCollectionItem({ params, body: { itemType: 'user', itemID: owner.userID } });
    expect((await send(`GET /v1/device/${lent.key}`)).status).toBe(200);
    expect(await refusal({ deviceSerial: 'lent' })).toContain('lent');

    await lender.session.updateCollection({
      params: { collectionID: collection.key ?? 0 },
      body: { memberAccess: 'write' },
    });
    expect(await deviceOf({ deviceSerial: 'lent' })).toBe('lent');
  });
});

describe('the agent type', () => {
  test.each([
    ['Audio', 2],
    ['audio', 2],
    ['AUDIO', 2],
    ['aUdIo', 2],
    ['device', 1],
    ['transfer', 3],
    ['Transcoding', 4],
    ['CAPTION', 5],
  ])('%s is type %i, in any case', async (agentType, agentTypeID) => {
    expect((await register({ deviceSerial: 'gate', agentType })).json).toMatchObject({ agentTypeID });
  });

  test.each(['Gardener', 'Audio ', 'Áudio', '2', 'audio%', "audio'"])('%s is unknown', async (agentType) => {
    expect(await refusal({ deviceSerial: 'gate', agentType })).toContain(agentType);
  });
});

describe('there is one agent for a device, type and index', () => {
  const body = { deviceSerial: 'roof', agentType: 'Transfer' };

  test('registering again keeps key, name and description, and updates version, process and contact', async () => {
    const first = (await register({ ...body, agentVersion: '1.0', processID: 10 })).json as { key: number };
    expect(first).toMatchObject({ agentIndex: 0, version: '1.0', processID: 10 });
    const named = { agentName: 'Uploader', agentDescription: 'on the roof', recentOutput: 'idle' };
    await send(`PUT /v1/agent/${first.key}`, { json: named });
    await server.db`update agents set last_heard_from_date = '2020-01-01' where key = ${first.key}`;

    const again = (await register({ ...body, agentVersion: '2.0', processID: 20 })).json as Record<string, unknown>;
    expect(again).toMatchObject({ ...named, key: first.key, version: '2.0', processID: 20 });
    expect(again['lastHeardFromDate']).not.toMatch(/^2020/);
    // Missing fields keep their values.
    expect((await register(body)).json).toMatchObject({ key: first.key, version: '2.0', processID: 20 });
  });

  test('another index or type is a different agent', async () => {
    const keys = new Set<unknown>();
    for (const other of [
      {},
      { agentIndex: 1 },
      { agentIndex: 2 },
      { agentType: 'Caption' },
      { deviceSerial: 'shed' },
    ]) {
      keys.add(((await register({ ...body, ...other })).json as { key: number }).key);
    }
    expect(keys.size).toBe(5);
    expect((await register({ ...body, agentIndex: 0 })).json).toMatchObject({ key: [...keys][0] });
  });

  test('concurrent registrations create one agent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, processID) => register({ ...body, agentIndex: 7, processID })),
    );
    expect(new Set(answers.map(({ json }) => (json as { key: number }).key)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

test('the list shows each agent with the names of its device and type', async () => {
  const device = await owner.session.createDevice({ body: { deviceSerial: 'listed', deviceName: 'Listed' } });
  await register({ deviceSerial: 'listed', agentType: 'caption' });
  await register({ deviceSerial: 'listed', agentType: 'DEVICE' });
  const agents = (await send('POST /v1/agent/list', { json: { deviceID: device.key, order: 'asc' } })).json;
  expect(agents).toMatchObject([
    { deviceName: 'Listed', agentType: 'Caption', deviceID: device.key },
    { deviceName: 'Listed', agentType: 'Device', deviceID: device.key },
  ]);
});
