import { findSortedEvents } from '@earshot/server/features/event/list/pages';
import { keyTable } from '@earshot/server/features/api-key/page-queries';
import { presetTable } from '@earshot/server/features/event-preset/page-queries';
import { userTable } from '@earshot/server/features/user/page-queries';
import type { PlanNode } from '@earshot/server/features/audio-clip/tests/plans';
import { explain, openCapturing } from '@earshot/server/features/audio-clip/tests/plans';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { findFewKeys, findRows } from '@earshot/server/platform/table';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

/* No order reads more of its table than the page, whoever asks. */

const rows = 10_000;
const few = 10;
const limit = 51;
let server: TestServer;
let admin: Caller;
let member: Caller;
beforeAll(async () => {
  server = await startTestServer();
  const [owner, other] = [await server.addPerson(), await server.addPerson()];
  admin = { userID: server.admin.userID, role: 'admin', credential: 'test' };
  member = { userID: other.userID, role: 'member', credential: 'test' };
  const { db } = server;
  await db`
    insert into devices (user_id, device_name, device_serial)
    select case when n <= ${few}::int then ${other.userID}::bigint else ${owner.userID}::bigint end, 'Device ' || n, 'd-' || n
    from generate_series(1, ${rows}::int) n`;
  await db`
    insert into event_presets (user_id, device_id, event_preset_name, creation_date)
    select user_id, key, case when key % 5 > 0 then 'Preset ' || key * 7919 % 1000 end, now() - make_interval(secs => key % 77)
    from devices`;
  await db`
    insert into api_keys (user_id, device_id, description, access_key, secret_key, creation_date)
    select user_id, key, case when key % 5 > 0 then 'Key ' || key * 7919 % 1000 end, 'access-' || key, '\\x00',
      now() - make_interval(secs => key % 77) from devices`;
  await db`
    insert into users (email, display_name, role, password_hash, postback_secret, creation_date, last_sign_in_date)
    select 'p' || n || '@example.org', case when n % 5 > 0 then 'Person ' || n * 7919 % 1000 end, 'member', '', '\\x00',
      now() - make_interval(secs => n % 77), case when n % 3 > 0 then now() - make_interval(secs => n % 99) end
    from generate_series(1, ${rows}::int) n`;
  await db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
    select key, 5, case when key % 1000 = 0 then 2 else 5 end, 0, 4, now() - make_interval(secs => key) from devices`;
  for (const table of ['devices', 'event_presets', 'api_keys', 'users', 'events'])
    await db.unsafe(`vacuum analyze ${table}`);
});
afterAll(() => server.stop());

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows of a table that a plan reads, including discarded ones. */
const rowsOf = (plan: PlanNode, table: string): number =>
  nodesOf(plan)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, found) => sum + found, 0);

/** What the statement among those of `read` that has this text reads of a table. */
async function readBy(table: string, part: string, read: (db: Pool) => Promise<unknown>): Promise<[number, string]> {
  const { db, sent } = openCapturing(server.databaseUrl);
  try {
    await read(db);
    const { plan, lines } = await explain(
      db,
      sent.findLast(({ text }) => text.includes(part))!,
      'custom',
    );
    return [rowsOf(plan, table), lines];
  } finally {
    await db.end({ timeout: 1 });
  }
}

const tables = { event_presets: presetTable, api_keys: keyTable, users: userTable } as const;

const orders = Object.entries(tables).flatMap(([name, { sorts }]) =>
  sorts.flatMap((sort) => [true, false].map((ascending) => [name, sort, ascending] as const)),
);

test.each(orders)('a page of %s by %s (ascending: %s) reads few rows', async (name, sort, ascending) => {
  // Each table has orders of its own; the test takes them from the table itself.
  const table = tables[name as keyof typeof tables] as unknown as typeof presetTable;
  const places = { given: {}, sort: sort as 'creationDate', ascending, after: undefined, limit };
  const [ofAdmin, lines] = await readBy(name, 'as materialized', (db) =>
    findRows(db, admin, table, { ...places, few: undefined }),
  );
  // In both parts of the list, and once more for what is shown.
  expect(ofAdmin, lines).toBeLessThanOrEqual(4 * limit);
  if (name === 'users') return;
  const fewKeys = await findFewKeys(server.db, member, table);
  expect(fewKeys).toHaveLength(few);
  const [ofMember, memberLines] = await readBy(name, 'as materialized', (db) =>
    findRows(db, member, table, { ...places, few: fewKeys }),
  );
  expect(ofMember, memberLines).toBeLessThanOrEqual(6 * few);
});

test.each([{}, { eventType: 'Stop_recording' }, { serverEvent: 0 }])(
  'a page of events reads few rows: %o',
  async (given) => {
    for (const order of ['asc', 'desc']) {
      const [ofAdmin, lines] = await readBy('events', 'as time', (db) =>
        findSortedEvents(db, admin, { ...given, order, count: 50 }),
      );
      expect(ofAdmin, lines).toBeLessThanOrEqual(2 * limit);
      const [ofMember, memberLines] = await readBy('events', 'as time', (db) =>
        findSortedEvents(db, member, { ...given, order, count: 50 }),
      );
      expect(ofMember, memberLines).toBeLessThanOrEqual(2 * limit);
    }
  },
);
