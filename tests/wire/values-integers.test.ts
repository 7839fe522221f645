import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, wrongFields } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

const largest = '9007199254740991';

let server: SharedServer;
let send: Send;
let agentPath: string;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  await server.admin.session.createDevice({ body: { deviceSerial: 'integers' } });
  const agent = await server.admin.session.registerAgent({ body: { deviceSerial: 'integers', agentType: 'Audio' } });
  agentPath = `/v1/agent/${agent.key}`;
});

/** A request with the number as JSON text: JSON.stringify cannot write all of these. */
const sendNumber = (line: string, field: string, number: string, rest = '') =>
  send(line, { body: `{${rest}"${field}":${number}}` });

const places = [
  ['PUT', 'currentEventID', ''],
  ['PUT', 'processID', ''],
  ['POST /v1/agent/list', 'deviceID', ''],
  ['POST /v1/agent/list', 'count', ''],
  ['POST /v1/device/list', 'offset', ''],
  ['POST /v1/device/list', 'count', ''],
  ['POST /v1/device', 'retentionDays', '"deviceSerial":"never",'],
  ['PUT /v1/device/1', 'userID', ''],
  ['PUT /v1/device/1', 'retentionDays', ''],
  ['POST /v1/collectionitem/1', 'itemID', '"itemType":"device",'],
] as const;

const lineOf = (place: string) => (place === 'PUT' ? `PUT ${agentPath}` : place);

describe.each(places)('%s %s', (place, field, rest) => {
  test.each([
    '9007199254740992',
    '9007199254740993',
    '18446744073709551616',
    '1e400',
    '1.5',
    '-1',
    '"5.5"',
    'true',
    '[5]',
    '{}',
  ])('refuses %s with the field name', async (number) => {
    expect(wrongFields(await sendNumber(lineOf(place), field, number, rest))).toEqual([field]);
  });

  test('a number as text is accepted in count only', async () => {
    const answer = await sendNumber(lineOf(place), field, '"5"', rest);
    if (field === 'count') expect(answer.status).toBe(200);
    else expect(wrongFields(answer)).toEqual([field]);
  });
});

describe('the largest integer', () => {
  test('is stored exactly', async () => {
    const registered = await send('POST /v1/agent', {
      body: `{"deviceSerial":"integers","agentType":"Audio","agentIndex":${largest},"processID":${largest}}`,
    });
    expect(registered.text).toContain(`"agentIndex":${largest}`);
    expect(registered.text).toContain(`"processID":${largest}`);
    for (const field of ['currentEventID', 'processID']) {
      expect((await sendNumber(`PUT ${agentPath}`, field, largest)).status).toBe(200);
      expect((await send(`GET ${agentPath}`)).text).toContain(`"${field}":${largest}`);
    }
  });

  test('is a valid id, so the record is unknown', async () => {
    expectProblem(await sendNumber('POST /v1/agent/list', 'deviceID', largest), 404);
    expectProblem(await sendNumber('POST /v1/collectionitem/1', 'itemID', largest, '"itemType":"device",'), 404);
    expectProblem(await send(`GET /v1/agent/${largest}`), 404);
  });

  test('may be written in any JSON notation', async () => {
    for (const number of ['5', '5.0', '50e-1', '0.5e1', '5E0']) {
      expect((await sendNumber(`PUT ${agentPath}`, 'processID', number)).status).toBe(200);
      expect((await send(`GET ${agentPath}`)).json).toMatchObject({ processID: 5 });
    }
  });
});

test('an invalid integer in a registration is named in the string', async () => {
  for (const field of ['agentIndex', 'processID']) {
    for (const number of ['9007199254740992', '1.5', '-1', '"5"', '1e400']) {
      const rest = '"deviceSerial":"integers","agentType":"Audio",';
      const answer = await sendNumber('POST /v1/agent', field, number, rest);
      expect([number, answer.status]).toEqual([number, 400]);
      expect(answer.json).toContain(field);
    }
  }
});

const idPaths = [
  'GET /v1/agent/{}',
  'PUT /v1/agent/{}',
  'PATCH /v1/agent/{}',
  'DELETE /v1/agent/{}',
  'GET /v1/device/{}',
  'PUT /v1/device/{}',
  'DELETE /v1/device/{}',
  'POST /v1/device/{}/apikey',
  'GET /v1/device/{}/apikey/list',
  'GET /v1/apikey/{}',
  'PUT /v1/apikey/{}',
  'DELETE /v1/apikey/{}',
  'POST /v1/apikey/{}/writeonly',
  'GET /v1/collection/{}',
  'PUT /v1/collection/{}',
  'DELETE /v1/collection/{}',
  'GET /v1/collection/{}/items',
  'GET /v1/collectionitem/{}',
  'DELETE /v1/collectionitem/{}',
  'POST /v1/collectionitem/{}',
  'GET /v1/user/{}',
  'PUT /v1/user/{}',
  'DELETE /v1/user/{}',
  'POST /v1/user/{}/passwordreset',
  'DELETE /v1/session/{}',
];

const bodyOf = (line: string) =>
  line.startsWith('PATCH') ? [] : line.includes('collectionitem') ? { itemType: 'device', itemID: 1 } : {};

const at = (line: string, id: string) => {
  const needsBody = /^(PUT|PATCH) /.test(line) || line === 'POST /v1/collectionitem/{}';
  return send(line.replace('{}', id), needsBody ? { json: bodyOf(line) } : {});
};

describe.each(idPaths)('the id in %s', (line) => {
  test('that is not an integer gets 400 with the parameter name', async () => {
    for (const id of ['x', '1.5', '1e3', '0x1', '+1', '5;a', '%20', '-', '9007199254740992', '9'.repeat(400)]) {
      const fields = wrongFields(await at(line, id));
      expect([id, fields]).toEqual([id, [expect.stringMatching(/ID$/)]]);
    }
  });

  test('of no record gets 404', async () => {
    for (const id of ['99999', '0', '-1', largest, `-${largest}`]) expectProblem(await at(line, id), 404);
  });
});
