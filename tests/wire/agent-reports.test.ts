import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, wrongFields } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let send: Send;
let key = 0;
let path: string;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  const client = server.admin.session;
  await client.createDevice({ body: { deviceSerial: 'reporting' } });
  const body = { deviceSerial: 'reporting', agentType: 'Audio', agentVersion: '1.4', agentIndex: 3, processID: 1 };
  key = (await client.registerAgent({ body })).key ?? 0;
  path = `/v1/agent/${key}`;
});

const read = async () => (await send(`GET ${path}`)).json as Record<string, unknown>;
const put = (json: unknown) => send(`PUT ${path}`, { json });

/** Moves the last contact into the past, so that a new one is visible. */
const longAgo = '2020-01-01T00:00:00.000Z';
const fallSilent = () => server.db`update agents set last_heard_from_date = ${longAgo} where key = ${key}`;

describe('PUT /v1/agent/{agentID}', () => {
  const five = { currentEventID: 5, processID: 6, agentName: 'a', agentDescription: 'b', recentOutput: 'c' };

  test('sets the five fields, and has an empty response', async () => {
    const answer = await put(five);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, '', undefined]);
    expect(await read()).toMatchObject(five);
  });

  test.each(Object.keys(five) as (keyof typeof five)[])(
    'keeps the others when only %s is given, and null clears it',
    async (field) => {
      const { [field]: _, ...others } = five;
      await put(five);
      expect((await put({ [field]: null })).status).toBe(200);
      const cleared = await read();
      expect(cleared).toMatchObject(others);
      expect(cleared).not.toHaveProperty(field);
      await put({ [field]: five[field] });
      expect(await read()).toMatchObject(five);
    },
  );

  test('does not change the fields of the platform', async () => {
    const before = await read();
    const others = {
      key: 99,
      userID: 99,
      deviceID: 99,
      agentTypeID: 99,
      agentIndex: 99,
      version: 'x',
      creationDate: longAgo,
      createdBy: 99,
      lastHeardFromDate: longAgo,
      lastModifiedBy: 99,
      deviceName: 'x',
    };
    expect((await put(others)).status).toBe(200);
    const { lastHeardFromDate, lastModifiedDate, ...after } = await read();
    const { lastHeardFromDate: _, lastModifiedDate: __, ...same } = before;
    expect(after).toEqual(same);
    expect(lastHeardFromDate).not.toBe(longAgo);
    expect(lastModifiedDate).toBeDefined();
  });

  test('counts as contact, even if empty', async () => {
    for (const body of [{}, { agentDescription: 'x' }, { recentOutput: null }]) {
      await fallSilent();
      await put(body);
      expect((await read())['lastHeardFromDate']).not.toBe(longAgo);
    }
  });

  test('sets nothing if one of the fields is invalid', async () => {
    await put(five);
    expect(wrongFields(await put({ ...five, agentName: 'lost', processID: 'x' }))).toEqual(['processID']);
    expect(await read()).toMatchObject(five);
    expectProblem(await put([]), 400);
  });
});

describe('contact', () => {
  test('by registration and by a patch of the fields that an agent reports', async () => {
    await fallSilent();
    await send('POST /v1/agent', { json: { deviceSerial: 'reporting', agentType: 'Audio', agentIndex: 3 } });
    expect((await read())['lastHeardFromDate']).not.toBe(longAgo);
    await fallSilent();
    await send(`PATCH ${path}`, { json: [{ fieldName: 'recentOutput', value: String(Math.random()) }] });
    expect((await read())['lastHeardFromDate']).not.toBe(longAgo);
  });

  test('is not recorded for reads, nor for a change of the description', async () => {
    await fallSilent();
    await send(`PATCH ${path}`, { json: [{ fieldName: 'agentDescription', value: String(Math.random()) }] });
    expect((await read())['lastHeardFromDate']).toBe(longAgo);
    const { deviceID } = await read();
    expect((await send(`GET /v1/device/${String(deviceID)}`)).json).toMatchObject({
      online: false,
      lastHeardFromDate: longAgo,
    });
  });
});

test('DELETE removes the agent, which is unknown afterwards', async () => {
  const { key: other } = await server.admin.session.registerAgent({
    body: { deviceSerial: 'reporting', agentType: 'Device' },
  });
  const answer = await send(`DELETE /v1/agent/${other}`);
  expect([answer.status, answer.text]).toEqual([200, '']);
  for (const method of ['GET', 'DELETE']) expectProblem(await send(`${method} /v1/agent/${other}`), 404);
  expectProblem(await send(`PUT /v1/agent/${other}`, { json: {} }), 404);
  expectProblem(await send(`PATCH /v1/agent/${other}`, { json: [] }), 404);
});
