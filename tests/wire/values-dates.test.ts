import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrongFields } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: TestServer;
let send: Send;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  const client = server.admin.session;
  await client.createDevice({ body: { deviceSerial: 'dates' } });
  // Two agents with contact at known times, and one without contact, for which the creation date counts.
  for (const [agentIndex, heard] of [
    [0, '2026-11-15T01:10:00.250Z'],
    [1, '2026-11-15T01:10:01.000Z'],
    [2, null],
  ] as const) {
    const { key } = await client.registerAgent({ body: { deviceSerial: 'dates', agentType: 'Audio', agentIndex } });
    await server.db`
      update agents set last_heard_from_date = ${heard}, creation_date = '2026-11-15T01:10:02Z' where key = ${key ?? 0}`;
  }
});
afterAll(() => server.stop());

const list = (json: object) => send('POST /v1/agent/list', { json: { order: 'asc', ...json } });
const indexes = async (json: object) =>
  ((await list(json)).json as { agentIndex: number }[]).map(({ agentIndex }) => agentIndex);

describe('date-times in responses', () => {
  test('are UTC with milliseconds and a Z', async () => {
    const answers = [
      await list({}),
      await send('POST /v1/device/list', { json: {} }),
      await send('GET /v1/session'),
      await send('GET /v1/user/list'),
      await send('POST /v1/apikey'),
      await send('GET /v1/agenttype/list'),
      await send(`POST /v1/user/${server.admin.userID}/passwordreset`),
    ];
    for (const { text } of answers) {
      const dates = [...text.matchAll(/"\w+Date":"([^"]*)"/g)].map(([, date]) => date);
      expect(dates.length).toBeGreaterThan(0);
      for (const date of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });
});

describe('date-times in requests', () => {
  test.each([
    '2026-11-15T01:10:00.250Z',
    '2026-11-15T02:10:00.250+01:00',
    '2026-11-14T20:10:00.250-05:00',
    '2026-11-15T06:55:00.250+05:45',
    '2026-11-15T02:10:00.250+01',
    '2026-11-15T02:10:00.250+0100',
    '2026-11-15T01:10:00.250-00:00',
    '2026-11-15T01:10:00.2500000Z',
    '2026-11-15T01:10:00.25Z',
    '2026-11-15T01:10:00,250Z',
    '2026-11-15t01:10:00.250z',
  ])('%s means the same instant', async (instant) => {
    expect(await indexes({ startDate: instant, endDate: '2026-11-15T01:10:00.251Z' })).toEqual([0]);
    expect(await indexes({ endDate: instant })).toEqual([]);
  });

  test('whole minutes need no seconds', async () => {
    expect(await indexes({ startDate: '2026-11-15T01:10Z', endDate: '2026-11-15T01:11Z' })).toEqual([0, 1, 2]);
  });

  test.each([
    '2026-11-15T01:10:00',
    '2026-11-15T01:10:00.12345678Z',
    '2026-11-15T01:10:00.Z',
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T01:60:00Z',
    '2026-11-15T01:10:60Z',
    '2026-11-15T01:10:00+24:00',
    '2026-11-15T01:10:00+01:60',
    '2026-11-15T01:10:00+01:',
    '2026-11-15T01:10:00+1',
    '2026-11-15',
    '2026-11-15 01:10:00Z',
    '15.11.2026',
    'now',
    '',
    ' 2026-11-15T01:10:00Z',
    '0000-12-31T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '+002026-11-15T01:10:00Z',
    '2026-11-15T01:10:00Z ',
  ])('%j is refused with the field name', async (text) => {
    expect(wrongFields(await list({ startDate: text }))).toEqual(['startDate']);
    expect(wrongFields(await list({ endDate: text }))).toEqual(['endDate']);
  });

  test.each([1_763_169_000, {}, true])('%j is not a date-time', async (value) => {
    expect(wrongFields(await list({ startDate: value }))).toEqual(['startDate']);
  });

  test('the first and last years are accepted', async () => {
    expect(await indexes({ startDate: '0001-01-01T00:00:00Z', endDate: '9999-12-31T23:59:59.9999999Z' })).toEqual([
      0, 1, 2,
    ]);
    expect(wrongFields(await list({ startDate: '0001-01-01T00:00:00+01:00' }))).toEqual(['startDate']);
  });
});

describe('a range of dates', () => {
  test('includes its start and not its end', async () => {
    const [first, second] = ['2026-11-15T01:10:00.250Z', '2026-11-15T01:10:01.000Z'];
    expect(await indexes({ startDate: first, endDate: second })).toEqual([0]);
    expect(await indexes({ startDate: second })).toEqual([1, 2]);
    expect(await indexes({ endDate: second })).toEqual([0]);
    expect(await indexes({ startDate: second, endDate: second })).toEqual([]);
  });

  test('uses the creation date of an agent without contact', async () => {
    expect(await indexes({ startDate: '2026-11-15T01:10:02Z', endDate: '2026-11-15T01:10:02.001Z' })).toEqual([2]);
  });

  test('must not end before it starts', async () => {
    const range = { startDate: '2026-11-15T01:10:00Z', endDate: '2026-11-15T01:09:59.999Z' };
    expect(wrongFields(await list(range))).toEqual(['endDate']);
    // The instants are compared, not the texts.
    expect((await list({ startDate: '2026-11-15T02:00:00+02:00', endDate: '2026-11-15T01:00:00Z' })).status).toBe(200);
  });
});
