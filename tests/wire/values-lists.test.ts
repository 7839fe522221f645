import { reservedSerials } from '@earshot/contract/device';
import { operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, wrongFields } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

const devices = 1_005;
const agentsOfFirst = 105;

let server: TestServer;
let send: Send;
let first = 0;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  const owner = server.admin.userID;
  // Two rows per time, so that the key decides the order.
  await server.db`
    insert into devices (user_id, device_name, device_serial, creation_date)
    select ${owner}, 'Device ' || n, 'serial-' || n, '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second'
    from generate_series(1, ${devices}) n order by n`;
  const [row] = await server.db<{ key: number }[]>`select min(key)::int as key from devices`;
  first = row?.key ?? 0;
  await server.db`
    insert into agents (device_id, agent_type_id, agent_index, last_heard_from_date)
    select ${first}, 2, n, '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second'
    from generate_series(1, ${agentsOfFirst}) n order by n`;
});
afterAll(() => server.stop());

const keysOf = async (path: string, json: object) =>
  ((await send(`POST ${path}`, { json })).json as { key: number }[]).map(({ key }) => key);

describe.each(['/v1/device/list', '/v1/agent/list'])('%s', (path) => {
  test('returns 100 when count is missing or 0', async () => {
    expect(await keysOf(path, {})).toHaveLength(100);
    expect(await keysOf(path, { count: 0 })).toHaveLength(100);
  });

  test('returns up to count, at most 1,000', async () => {
    expect(await keysOf(path, { count: 1 })).toHaveLength(1);
    expect(await keysOf(path, { count: 101 })).toHaveLength(101);
    const there = path.includes('device') ? 1_000 : agentsOfFirst;
    expect(await keysOf(path, { count: 1_000 })).toHaveLength(there);
    expect(wrongFields(await send(`POST ${path}`, { json: { count: 1_001 } }))).toEqual(['count']);
    expect(wrongFields(await send(`POST ${path}`, { json: { count: -1 } }))).toEqual(['count']);
  });

  test('orders by time, then key, by default the newest first', async () => {
    const ascending = await keysOf(path, { count: 1_000, order: 'asc' });
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    const descending = await keysOf(path, { count: 1_000, order: 'desc' });
    expect(descending).toEqual(descending.toSorted((a, b) => b - a));
    expect(await keysOf(path, { count: 1_000 })).toEqual(descending);
    for (const order of ['ASC', 'Asc', 'aSc']) expect(await keysOf(path, { count: 1_000, order })).toEqual(ascending);
    for (const order of ['DESC', 'Desc', '', null])
      expect(await keysOf(path, { count: 1_000, order })).toEqual(descending);
  });

  test.each(['up', 'ascending', ' asc', 'asc;', 'descasc', 5, true, ['asc']])('refuses the order %j', async (order) => {
    expect(wrongFields(await send(`POST ${path}`, { json: { order } }))).toEqual(['order']);
  });
});

describe('deviceID in a filter', () => {
  test('of 0, or missing, means every device the caller may read', async () => {
    const other = await server.admin.session.createDevice({ body: { deviceSerial: 'other' } });
    await server.admin.session.registerAgent({ body: { deviceSerial: 'other', agentType: 'Audio' } });
    const everywhere = async (json: object) =>
      ((await send('POST /v1/agent/list', { json: { count: 1_000, ...json } })).json as { deviceID: number }[]).map(
        ({ deviceID }) => deviceID,
      );
    for (const json of [{}, { deviceID: 0 }])
      expect(new Set(await everywhere(json))).toEqual(new Set([first, other.key]));
    expect(await everywhere({ deviceID: other.key })).toEqual([other.key]);
  });

  test('of 0 shows only readable devices', async () => {
    const { cookie } = await server.addPerson();
    const answer = await sender(server.url, { cookie })('POST /v1/agent/list', { json: { deviceID: 0 } });
    expect(answer.text).toBe('[]');
  });
});

describe('a record that the caller may not read', () => {
  test('gets the same 404 as an unknown one, in path and body', async () => {
    const stranger = await server.addPerson();
    const asStranger = sender(server.url, { cookie: stranger.cookie });
    const own = await stranger.session.createCollection({ body: { collectionName: 'Own' } });
    const unknown = 999_999;
    const asks = {
      'in the path': (id: number) => asStranger(`GET /v1/device/${id}`),
      'in a filter': (id: number) => asStranger('POST /v1/agent/list', { json: { deviceID: id } }),
      'as an item': (id: number) =>
        asStranger(`POST /v1/collectionitem/${own.key}`, { json: { itemType: 'device', itemID: id } }),
    };
    for (const ask of Object.values(asks)) {
      const [hidden, missing] = [expectProblem(await ask(first), 404), expectProblem(await ask(unknown), 404)];
      expect(hidden.detail.replace(String(first), '#')).toBe(missing.detail.replace(String(unknown), '#'));
    }
    expectProblem(await asStranger('POST /v1/device/name', { json: { deviceSerial: 'serial-1' } }), 404);
  });
});

describe('deviceSerial', () => {
  const create = (deviceSerial: unknown) => send('POST /v1/device', { json: { deviceSerial } });

  test.each(['a', '0', '-', '_', '.', 'A.b_c-9', 'x'.repeat(64), 'List', 'lists', 'device'])(
    'may be %s',
    async (serial) => {
      expect((await create(serial)).status).toBe(200);
    },
  );

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'é', 'a\n', 'a\u0000', '🎙', 'a%b', 5, null, ...reservedSerials])(
    'must not be %j',
    async (serial) => {
      expect(wrongFields(await create(serial))).toContain('deviceSerial');
      expect(wrongFields(await send(`PUT /v1/device/${first}`, { json: { deviceSerial: serial } }))).toContain(
        'deviceSerial',
      );
    },
  );

  test('must not be a literal of the paths', () => {
    const beside = operationList.flatMap(([, { path }]) => /^\/v1\/audioclip\/([a-z]+)/.exec(path)?.[1] ?? []);
    expect(reservedSerials.toSorted()).toEqual([...new Set(beside)].toSorted());
    for (const word of ['list', 'upload', 'concatenate', 'createlist', 'extract', 'devices'])
      expect(reservedSerials).toContain(word);
  });

  test('is unique in the whole service', async () => {
    const { cookie } = await server.addPerson();
    const asStranger = sender(server.url, { cookie });
    expectProblem(await create('serial-1'), 409);
    expectProblem(await asStranger('POST /v1/device', { json: { deviceSerial: 'serial-1' } }), 409);
    expectProblem(await send(`PUT /v1/device/${first}`, { json: { deviceSerial: 'serial-2' } }), 409);
    expect((await send(`PUT /v1/device/${first}`, { json: { deviceSerial: 'serial-1' } })).status).toBe(200);
  });

  test('is given to one of several concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('wanted')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectProblem(answer, 409);
  });
});
