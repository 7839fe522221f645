// Pages of devices and of the items of a collection: every order and filter, for an admin, for a person with few devices
// and for one who sees a large collection. Times are compared with reading as many devices by their keys.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevicePageFilter, DeviceSort } from '@earshot/contract/device-page';
import { deviceSorts } from '@earshot/contract/device-page';
import { itemSorts } from '@earshot/contract/collection-page';
import { deviceTable } from '@earshot/server/features/device/page/queries';
import { countItems, findItemRows } from '@earshot/server/features/collection/item/page-queries';
import { countRows, findFewKeys, findRows } from '@earshot/server/platform/table';
import type { Pool } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { Caller } from '@earshot/server/platform/http/caller';
import { silentLog } from '@earshot/server/testing/log';
import { openBench } from '../open-bench.ts';
import { createDatabase } from '../queue/databases.ts';

const bench = openBench({
  name: 'lists',
  goals: {
    'a page in one of its orders, as a ratio to reading devices by key': { atMost: 20 },
    'the same for a person who sees a tenth of the devices': { atMost: 120 },
    'a page with a filter, as a ratio to the same': { atMost: 250 },
    'the number of matches, as a ratio to the same': { atMost: 250 },
  },
  sizes: {
    usual: { devices: 100_000, members: 10_000, few: 20, rounds: 9 },
    small: { devices: 500, members: 100, few: 5, rounds: 1 },
  },
});
const { devices, members, few, rounds } = bench.size;
const limit = 101;
const many = `a person who sees ${members.toLocaleString('en')}`;

/** An owner of everything, a person with few devices, and one who sees a collection. */
async function fill(db: Pool): Promise<{ collectionID: number; callers: Readonly<Record<string, Caller>> }> {
  await db`set statement_timeout = 0`;
  const people = await db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret)
    select n || '@example.org', case when n = 1 then 'admin' else 'member' end, '', '' from generate_series(1, 3) n
    returning key`;
  const [owner, owns, sees] = people.map(({ key }) => key) as [number, number, number];
  await db`
    insert into devices (user_id, device_name, device_serial, device_description)
    select case when n <= ${few}::int then ${owns}::bigint else ${owner}::bigint end,
      'Site ' || n * 7919 % ${devices}::int || ', gate', 'recorder-' || n, 'Along the fence'
    from generate_series(1, ${devices}::int) n`;
  await db`
    update device_summaries set
      contact_ms = case when device_id % 5 < 3 then 9007199254740991 when device_id % 5 = 3 then device_id * 1000 end,
      sound_ms = case when device_id % 20 > 0 then 1790000000000 + device_id * 7919 % 1000000 end,
      arrival_ms = case when device_id % 20 > 0 then (extract(epoch from now()) * 1000)::bigint - device_id % 200 * 3600000 end,
      clips_today = device_id % 40, battery_percent = case when device_id % 3 > 0 then device_id % 101 end,
      disk_used_percent = case when device_id % 3 > 0 then device_id % 97 end,
      clock_error_ms = case when device_id % 3 > 0 then device_id % 20001 - 10000 end,
      software_version = case when device_id % 3 > 0 then '2.' || device_id % 7 || '.0' end`;
  const [{ key: collectionID } = { key: 0 }] = await db<{ key: number }[]>`
    insert into collections (user_id, collection_name) values (${owner}, 'Large') returning key`;
  await db`
    insert into collection_items (collection_id, device_id, user_id, placed_by_admin)
    select ${collectionID}, key, ${owner}::bigint, true from devices order by key desc limit ${members}`;
  await db`
    insert into collection_items (collection_id, member_id, user_id, placed_by_admin)
    values (${collectionID}, ${sees}, ${owner}, true)`;
  for (const table of ['devices', 'device_summaries', 'collection_items', 'users', 'collections'])
    await db.unsafe(`vacuum analyze ${table}`);
  const member = (userID: number): Caller => ({ userID, role: 'member', credential: 'bench' });
  return {
    collectionID,
    callers: {
      'an admin': { userID: owner, role: 'admin', credential: 'bench' },
      [`a person with ${few} devices`]: member(owns),
      [many]: member(sees),
    },
  };
}

async function middleMs(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // The first run plans and fills the caches.
  await run();
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    await run();
    times.push(performance.now() - since);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

const filters: Readonly<Record<string, DevicePageFilter>> = {
  'a rare name': { searchText: 'site 777' },
  'silent devices': { stateList: ['silent'] },
  'a version': { softwareVersion: '2.3.0' },
  'low batteries': { mostBatteryPercent: 3 },
};

async function measure(db: Pool): Promise<void> {
  const { collectionID, callers } = await fill(db);
  const referenceMs = await middleMs(
    () => db`select * from devices where key = any(array(select n * 7 from generate_series(1, ${limit}::int) n))`,
  );
  bench.say(`${limit} devices by their keys: ${referenceMs.toFixed(2)} ms`);
  const judge = async (goal: Parameters<typeof bench.judge>[0], of: string, run: () => Promise<unknown>) => {
    const ms = await middleMs(run);
    bench.judge(goal, ms / referenceMs, { of, details: `${ms.toFixed(1)} ms` });
  };
  const places = { ascending: true, after: undefined, limit };
  const rowsOf = async (caller: Caller, given: DevicePageFilter, sort: DeviceSort, ascending: boolean) => {
    const fewKeys = await findFewKeys(db, caller, deviceTable);
    return findRows(db, caller, deviceTable, { ...places, given, few: fewKeys, sort, ascending });
  };
  for (const [who, caller] of Object.entries(callers)) {
    for (const sort of deviceSorts) {
      for (const ascending of [true, false]) {
        await judge(
          who === many
            ? 'the same for a person who sees a tenth of the devices'
            : 'a page in one of its orders, as a ratio to reading devices by key',
          `${who}, devices by ${sort} ${ascending ? 'asc' : 'desc'}`,
          () => rowsOf(caller, {}, sort, ascending),
        );
      }
    }
    for (const [name, given] of Object.entries({ ...filters, 'a collection': { collectionIDList: [collectionID] } })) {
      await judge('a page with a filter, as a ratio to the same', `${who}, ${name}`, () =>
        rowsOf(caller, given, 'deviceName', true),
      );
      await judge('the number of matches, as a ratio to the same', `${who}, ${name}`, () =>
        countRows(db, caller, deviceTable, given),
      );
    }
    await judge('the number of matches, as a ratio to the same', `${who}, all devices`, () =>
      countRows(db, caller, deviceTable, {}),
    );
    for (const sort of itemSorts) {
      await judge('a page with a filter, as a ratio to the same', `${who}, items of a collection by ${sort}`, () =>
        findItemRows(db, caller, collectionID, { ...places, given: {}, sort }),
      );
    }
    await judge('the number of matches, as a ratio to the same', `${who}, items of a collection`, () =>
      countItems(db, caller, collectionID, {}),
    );
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, isDisposable: true });
try {
  const { db } = await createDatabase(postgres, dataDir, 'lists');
  await measure(db);
  await db.end({ timeout: 1 });
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();
