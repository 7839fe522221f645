import { addDevice } from '@earshot/server/features/event/tests/fleet';
import { insertReads } from '@earshot/server/features/audit/queries';
import { measureCaptions } from '@earshot/server/features/caption/read/progress';
import { measureQueue } from '@earshot/server/features/event/queue/measure';
import { createWaitingRoom } from '@earshot/server/features/event/wait/waiting-room';
import type { Pool } from '@earshot/server/platform/database/connect';
import { createMetrics } from '@earshot/server/platform/http/door/metrics';
import { silentLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanNode, Sent } from '../../server/src/features/audio-clip/tests/plans.ts';
import { explain, openCapturing } from '../../server/src/features/audio-clip/tests/plans.ts';

// Each node runs these queries every 15 s, and the look-up of reads every 2 s. What has ended must not slow them down.

const few = 5_000;
const many = 20_000;
let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
/** A separate pool, because it does not keep prepared statements. */
let explaining: Pool;
let deviceID: number;
beforeAll(async () => {
  server = await startTestServer({ role: 'server' });
  ({ deviceID } = await addDevice(server.admin.session));
  const { db } = server;
  // Some of each kind that is counted, among those that have ended.
  await db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, taken_date)
    select ${deviceID}, 5, 5, n % 2, 1 + n % 3, now() from generate_series(1, 30) n`;
  await db`
    insert into postbacks (event_id, next_attempt_date) select key, now() + interval '1 day' from events order by key limit 10`;
  await addEnded(few);
  capturing = openCapturing(server.databaseUrl);
  explaining = openCapturing(server.databaseUrl).db;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await explaining.end({ timeout: 1 });
  await server.stop();
});

/** Events, with their postbacks, and entries of the audit trail, of the last days. */
async function addEnded(count: number): Promise<void> {
  const { db, admin } = server;
  await db`
    with ended as (
      insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, taken_date)
      select ${deviceID}, 5, 5, n % 2, case n % 100 when 0 then 5 when 1 then 7 else 4 end, now() - interval '3 days'
      from generate_series(1, ${count}) n returning key)
    insert into postbacks (event_id, postback_state, next_attempt_date) select key, 'delivered', null from ended`;
  await db`
    insert into audit_entries (audit_date, action, user_id, record_key)
    select now() - interval '1 hour' - n * interval '1 second', 'sound-played', ${admin.userID}, n
    from generate_series(1, ${count}) n`;
  await db`vacuum analyze`;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const ofLarge = /^(events|postbacks|audit_entries)/;

/** How many rows of the tables that grow the plan reads; fails if it reads one completely. */
async function countRead(statement: Sent, mode: 'custom' | 'generic'): Promise<number> {
  const { plan, lines } = await explain(explaining, statement, mode);
  const nodes = nodesOf(plan).filter(({ 'Relation Name': table = '' }) => ofLarge.test(table));
  expect(nodes.length, lines).toBeGreaterThan(0);
  const rowsOf = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  // Partitions of months to come are empty.
  for (const node of nodes.filter((each) => rowsOf(each) > 0)) expect(node['Node Type'], lines).not.toBe('Seq Scan');
  return nodes.map(rowsOf).reduce((sum, rows) => sum + rows, 0);
}

const measures: readonly (readonly [name: string, begin: (db: Pool) => () => Promise<void>])[] = [
  [
    'pending and held events, postbacks with their age, devices online',
    (db) => measureQueue(db, silentLog, createMetrics(), createWaitingRoom()),
  ],
  ['captions', (db) => measureCaptions(db, silentLog, createMetrics())],
  [
    'reads that were recorded before',
    (db) => {
      const read = { action: 'sound-played', recordID: 1, deviceID, atMs: Date.now() } as const;
      const known = { userID: server.admin.userID };
      const written = insertReads(db, [
        { ...read, actor: known },
        { ...read, actor: undefined },
      ]);
      return () => written;
    },
  ],
];

test('the queries of the metrics follow indexes, and read as many rows whatever has ended', async () => {
  const statements = new Map<string, Sent>();
  for (const [name, begin] of measures) {
    capturing.sent.length = 0;
    const stop = begin(capturing.db);
    const sent = () => capturing.sent.filter(({ text }) => /(from|into) (events|audit_entries)|join events/.test(text));
    await expect.poll(sent).toHaveLength(1);
    await stop();
    statements.set(name, sent()[0]!);
  }
  const countAll = async () => {
    const counts: [string, number][] = [];
    for (const mode of ['custom', 'generic'] as const) {
      for (const [name, statement] of statements) counts.push([`${name} (${mode})`, await countRead(statement, mode)]);
    }
    return counts;
  };
  const before = await countAll();
  await addEnded(many);
  expect(await countAll()).toEqual(before);
  for (const [name, rows] of before) expect(rows, name).toBeLessThan(100);
});
