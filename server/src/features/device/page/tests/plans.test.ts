import type { DevicePageFilter } from '@earshot/contract/device-page';
import { deviceSorts } from '@earshot/contract/device-page';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanNode } from '../../../audio-clip/tests/plans.ts';
import { explain, openCapturing } from '../../../audio-clip/tests/plans.ts';
import { findFewKeys, findRows } from '../../../../platform/table.ts';
import { deviceTable } from '../queries.ts';

/** Of one person; another one has few. */
const devices = 10_000;
const few = 10;

let server: TestServer;
let admin: Caller;
let member: Caller;
let fewKeys: readonly number[] | undefined;
beforeAll(async () => {
  server = await startTestServer();
  const [owner, other] = [await server.addPerson(), await server.addPerson()];
  admin = { userID: server.admin.userID, role: 'admin', credential: 'test' };
  member = { userID: other.userID, role: 'member', credential: 'test' };
  await server.db`
    insert into devices (user_id, device_name, device_serial)
    select case when n <= ${few}::int then ${other.userID}::bigint else ${owner.userID}::bigint end,
      'Device ' || n * 7919 % ${devices}, 'd-' || n
    from generate_series(1, ${devices}::int) n`;
  await server.db`
    update device_summaries set contact_ms = case when device_id % 3 > 0 then device_id end, sound_ms = device_id * 7,
      clips_today = device_id % 50, battery_percent = device_id % 100, disk_used_percent = device_id % 90,
      clock_error_ms = device_id % 999 - 500, software_version = '2.' || device_id % 9`;
  fewKeys = await findFewKeys(server.db, member, deviceTable);
  for (const table of ['devices', 'device_summaries']) await server.db.unsafe(`vacuum analyze ${table}`);
});
afterAll(() => server.stop());

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const listTables = new Set(['devices', 'device_summaries']);

/** Rows of the tables of devices that a plan reads, including discarded ones. */
const rowsOfDevices = (plan: PlanNode): number =>
  nodesOf(plan)
    .filter((node) => listTables.has(node['Relation Name'] ?? ''))
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, rows) => sum + rows, 0);

const limit = 51;

async function rowsReadBy(read: (db: Pool) => Promise<unknown>): Promise<[number, string]> {
  const { db, sent } = openCapturing(server.databaseUrl);
  try {
    await read(db);
    const { plan, lines } = await explain(db, sent.at(-1)!, 'custom');
    return [rowsOfDevices(plan), lines];
  } finally {
    await db.end({ timeout: 1 });
  }
}

const orders = deviceSorts.flatMap((sort) => [true, false].map((ascending) => [sort, ascending] as const));

test.each(orders)(
  'a page by %s (ascending: %s) reads few rows, for an admin and for a person with few devices',
  async (sort, ascending) => {
    const given: DevicePageFilter = {};
    const places = { given, few: undefined, sort, ascending, after: undefined, limit };
    const [ofAdmin, lines] = await rowsReadBy((db) => findRows(db, admin, deviceTable, places));
    // Each row of the page: in both parts of the list with both tables, and once more for what is shown.
    expect(ofAdmin, lines).toBeLessThanOrEqual(8 * limit);
    const [ofMember, memberLines] = await rowsReadBy((db) =>
      findRows(db, member, deviceTable, { ...places, few: fewKeys }),
    );
    expect(ofMember, memberLines).toBeLessThanOrEqual(12 * few);
  },
);
