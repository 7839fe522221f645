import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, wrongFields } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let send: Send;
let agentPath: string;
let collectionPath: string;
let keyPath: string;
let userPath: string;
let devicePath: string;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  const client = server.admin.session;
  devicePath = `/v1/device/${(await client.createDevice({ body: { deviceSerial: 'text' } })).key}`;
  agentPath = `/v1/agent/${(await client.registerAgent({ body: { deviceSerial: 'text', agentType: 'Audio' } })).key}`;
  collectionPath = `/v1/collection/${(await client.createCollection({ body: { collectionName: 'Text' } })).key}`;
  keyPath = `/v1/apikey/${(await client.createApiKey()).key}`;
  userPath = `/v1/user/${server.admin.userID}`;
});

const texts = {
  empty: '',
  'white space': ' \t\r\n\u00a0\u2028 ',
  'emoji, also joined': '🎙️ 👩‍🔬 🇨🇭',
  'combining marks, as they were sent': 'e\u0301 ≠ é, Z̸̢̛a̷l̶g̵o̴',
  'right to left': 'مرحبا \u202e שלום \u202c',
  'the last code point': '\u{10FFFF} \u{1F600}',
  noncharacters: '\uFFFE\uFFFF',
  'control characters': '\u0001\u001f\u007f\u0085',
  'special characters of SQL, HTML, shells and paths': `'; drop table agents; -- <b>"&amp;"</b> $(x) \\ %s ../..`,
  'a backslash before u0000': '\\u0000',
  'placeholders of formats': '%00 %zz {0} ${x}',
};

describe.each(Object.entries(texts))('%s', (_name, text) => {
  test('is returned as sent', async () => {
    const put = await send(`PUT ${agentPath}`, {
      json: { agentName: text, agentDescription: text, recentOutput: text },
    });
    expect(put.status, put.text).toBe(200);
    const agent = (await send(`GET ${agentPath}`)).json;
    expect(agent).toMatchObject({ agentName: text, agentDescription: text, recentOutput: text });
  });
});

describe('text that cannot be stored is refused with the field name', () => {
  test.each([
    ['NUL', '"a\\u0000b"'],
    ['a high surrogate alone', '"a\\ud83cb"'],
    ['a low surrogate alone', '"a\\udf99"'],
    ['surrogates the wrong way round', '"\\udf99\\ud83c"'],
  ])('%s', async (_name, json) => {
    expect(wrongFields(await send(`PUT ${agentPath}`, { body: `{"agentName":${json}}` }))).toEqual(['agentName']);
    // Also in unknown fields and in keys.
    expectProblem(await send(`PUT ${agentPath}`, { body: `{"ignored":[{"deep":${json}}]}` }), 400);
    expectProblem(await send(`PUT ${agentPath}`, { body: `{${json}:1}` }), 400);
    const registered = await send('POST /v1/agent', { body: `{"deviceName":${json},"agentType":"Audio"}` });
    expect(registered.status).toBe(400);
    expect(registered.json).toContain('deviceName');
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1', [0xe9]],
  ])('bytes that are not UTF-8: %s', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"agentName":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expectProblem(await send(`PUT ${agentPath}`, { body }), 400);
  });

  test('a raw NUL byte in the body', async () => {
    expectProblem(await send(`PUT ${agentPath}`, { body: '{"agentName":"a\0b"}' }), 400);
  });

  test('NUL and bytes that are not UTF-8 in a path', async () => {
    for (const id of ['%00', '1%00']) expect(wrongFields(await send(`GET /v1/agent/${id}`))).toEqual(['agentID']);
    for (const id of ['%ff', '%c0%af', '%ed%a0%80', '%', '%4', '%zz']) {
      expectProblem(await send(`GET /v1/agent/${id}`), 400);
    }
  });
});

interface Bound {
  readonly line: () => string;
  readonly field: string;
  readonly longest: number;
  readonly rest?: object;
}

const bounds: Readonly<Record<string, Bound>> = {
  agentName: { line: () => `PUT ${agentPath}`, field: 'agentName', longest: 200 },
  agentDescription: { line: () => `PUT ${agentPath}`, field: 'agentDescription', longest: 4_000 },
  recentOutput: { line: () => `PUT ${agentPath}`, field: 'recentOutput', longest: 65_536 },
  collectionName: { line: () => `PUT ${collectionPath}`, field: 'collectionName', longest: 200 },
  collectionDescription: { line: () => `PUT ${collectionPath}`, field: 'collectionDescription', longest: 4_000 },
  aPIKeyDescription: { line: () => `PUT ${keyPath}`, field: 'aPIKeyDescription', longest: 4_000 },
  displayName: { line: () => `PUT ${userPath}`, field: 'displayName', longest: 200 },
  deviceName: { line: () => `PUT ${devicePath}`, field: 'deviceName', longest: 200 },
  deviceDescription: { line: () => `PUT ${devicePath}`, field: 'deviceDescription', longest: 4_000 },
  searchText: { line: () => 'POST /v1/device/list', field: 'searchText', longest: 200 },
};

describe.each(Object.entries(bounds))('the length of %s', (_name, { line, field, longest, rest }) => {
  test('is counted in code points, up to its limit', async () => {
    for (const letter of ['x', 'é', '漢', '🎙']) {
      const sendOf = (count: number) => send(line(), { json: { ...rest, [field]: letter.repeat(count) } });
      const longestSent = await sendOf(longest);
      expect([letter, longestSent.status]).toEqual([letter, 200]);
      expect(wrongFields(await sendOf(longest + 1))).toEqual([field]);
    }
  });

  test('is in the OpenAPI document', async () => {
    const { paths, components } = (await send('GET /openapi.json')).json as Document;
    const [method = '', path = ''] = line().toLowerCase().split(' ');
    const template = Object.keys(paths).find((known) => matches(known.toLowerCase(), path)) ?? '';
    const reference = paths[template]![method]!.requestBody.content['application/json']!.schema.$ref;
    const schema = components.schemas[reference.split('/').at(-1) ?? '']!;
    expect(schema.properties[field]!.maxLength).toBe(longest);
  });
});

interface Document {
  readonly paths: Record<
    string,
    Record<string, { requestBody: { content: Record<string, { schema: { $ref: string } }> } }>
  >;
  readonly components: { schemas: Record<string, { properties: Record<string, { maxLength: number }> }> };
}

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '\\d+')}$`).test(path);

test('the lengths in a registration are limited too, with its own error format', async () => {
  const rest = { deviceSerial: 'text', agentType: 'Audio' };
  for (const field of ['deviceName', 'deviceSerial', 'agentVersion', 'agentType']) {
    const answer = await send('POST /v1/agent', { json: { ...rest, [field]: 'x'.repeat(201) } });
    expect([field, answer.status]).toEqual([field, 400]);
    expect(answer.json).toContain(field);
  }
  expect((await send('POST /v1/agent', { json: { ...rest, agentVersion: '🎙'.repeat(200) } })).status).toBe(200);
});

test('required names must not be empty', async () => {
  expect(wrongFields(await send(`PUT ${collectionPath}`, { json: { collectionName: '' } }))).toEqual([
    'collectionName',
  ]);
  expect(wrongFields(await send('PUT /v1/device/1', { json: { deviceName: '' } }))).toEqual(['deviceName']);
  expect(wrongFields(await send('POST /v1/collection', { json: {} }))).toEqual(['collectionName']);
});

test('special characters in a search text are literal', async () => {
  const own = sender(server.url, { cookie: (await server.addPerson()).cookie });
  for (const [deviceSerial, deviceName] of [
    ['percent', '100%'],
    ['under', 'a_b'],
    ['backslash', 'c\\d'],
    ['none', '100'],
  ]) {
    await own('POST /v1/device', { json: { deviceSerial, deviceName } });
  }
  const found = async (searchText: string) =>
    ((await own('POST /v1/device/list', { json: { searchText } })).json as { deviceSerial: string }[]).map(
      ({ deviceSerial }) => deviceSerial,
    );
  expect(await found('0%')).toEqual(['percent']);
  expect(await found('A_B')).toEqual(['under']);
  expect(await found('c\\d')).toEqual(['backslash']);
  expect(await found("'")).toEqual([]);
});
