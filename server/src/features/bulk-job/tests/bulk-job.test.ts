import type { Client } from '@earshot/client/client';
import type { StartDeviceBulk } from '@earshot/contract/bulk-job';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusedWith } from '../../event/tests/fleet.ts';
import { addDevices, ended, failuresOf, readJob, whileAt } from './scene.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = server.admin.session;
});
afterAll(() => server.stop());

const event = { eventType: 'Report_diagnostics' };

/** The latest entries of the audit trail, without their keys and times. */
const trailOf = (action: string, count: number) => server.db`
  select action, user_id, session_id, api_key_id, rule_id, owner_id, person_id, device_id = record_key as "isSame",
    record_key is not null as "hasRecord" from audit_entries where action = ${action} order by key desc limit ${count}`;

const devicesLeft = async (keys: readonly number[]): Promise<number[]> => {
  const rows = await server.db<{ key: number }[]>`
    select key from devices where key = any(${keys as number[]}::bigint[]) order by key`;
  return rows.map(({ key }) => key);
};

const eventsOf = async (keys: readonly number[]): Promise<number[]> => {
  const rows = await server.db<{ key: number }[]>`
    select device_id as key from events where device_id = any(${keys as number[]}::bigint[]) order by device_id`;
  return rows.map(({ key }) => key);
};

test('devices are deleted with the rights of the person, and those that were not are named with the reason', async () => {
  const [person, other] = [await server.addPerson(), await server.addPerson()];
  const owned = await addDevices(person.session, 12);
  const [lent = 0, hidden = 0] = await addDevices(other.session, 2, { deviceName: 'Lent' });
  const { key: collectionID = 0 } = await other.session.createCollection({ body: { collectionName: 'Quay' } });
  const add = (itemType: 'device' | 'user', itemID: number) =>
    other.session.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  await add('device', lent);
  await add('user', person.userID);
  const keys = [...owned, lent, hidden];
  const started = await person.session.startDeviceBulk({ body: { action: 'delete', deviceIDs: [...keys, lent] } });
  expect(started).toMatchObject({ action: 'delete', state: 'running', total: 14, doneCount: 0, failedCount: 0 });
  expect(await ended(person.session, started)).toMatchObject({
    state: 'done',
    total: 14,
    doneCount: 12,
    failedCount: 2,
  });
  expect(await devicesLeft(keys)).toEqual([lent, hidden]);
  expect(await failuresOf(person.session, started)).toEqual([
    expect.objectContaining({
      recordKey: lent,
      recordName: 'Lent',
      reason: 'Only the owner of this device or an admin may do this.',
    }),
    expect.objectContaining({ recordKey: hidden, reason: `There is no device ${hidden}, or you may not see it.` }),
  ]);
  expect((await failuresOf(person.session, started))[1]).not.toHaveProperty('recordName');
});

test('the trail names each change as that of the single operation', async () => {
  const { client } = await server.admin.withKey();
  for (const by of [admin, client]) {
    const [single = 0, first = 0, second = 0] = await addDevices(by, 3);
    await by.deleteDevice({ params: { deviceID: single } });
    const [alone] = await trailOf('device-removed', 1);
    await ended(by, await by.startDeviceBulk({ body: { action: 'delete', deviceIDs: [first, second] } }));
    expect(await trailOf('device-removed', 2)).toEqual([alone, alone]);
  }
  const [device = 0, other = 0] = await addDevices(admin, 2);
  const { key: collectionID = 0 } = await admin.createCollection({ body: { collectionName: 'Quay' } });
  await admin.addCollectionItem({
    params: { collectionItemID: collectionID },
    body: { itemType: 'device', itemID: device },
  });
  const [shared] = await trailOf('item-shared', 1);
  const collecting: StartDeviceBulk = { action: 'collect', collectionID, deviceIDs: [other, device] };
  expect(await ended(admin, await admin.startDeviceBulk({ body: collecting }))).toMatchObject({ doneCount: 2 });
  expect(await trailOf('item-shared', 1)).toEqual([shared]);
  await admin.createEvent({ body: { deviceID: device, eventType: 'Reboot' } });
  const [sent] = await trailOf('command-sent', 1);
  const reboot = { eventType: 'Reboot' };
  const rebooting: StartDeviceBulk = { action: 'sendEvent', event: reboot, deviceIDs: [other] };
  await ended(admin, await admin.startDeviceBulk({ body: rebooting }));
  expect(await trailOf('command-sent', 1)).toEqual([sent]);
});

test('items are taken out of a collection, by their keys or by the filter of the table', async () => {
  const devices = await addDevices(admin, 5);
  const { key: collectionID = 0 } = await admin.createCollection({ body: { collectionName: 'Quay' } });
  const params = { collectionID };
  await ended(admin, await admin.startDeviceBulk({ body: { action: 'collect', collectionID, deviceIDs: devices } }));
  const itemsOf = async () => (await admin.listCollectionItemPage({ params, body: {} })).results;
  const items = await itemsOf();
  expect(new Set(items.map(({ itemID }) => itemID))).toEqual(new Set(devices));
  const [first = 0, second = 0] = items.map(({ key }) => key);
  await ended(admin, await admin.takeOutItems({ params, body: { collectionItemIDs: [first, second] } }));
  expect(await itemsOf()).toHaveLength(3);
  const filtered = await admin.takeOutItems({
    params,
    body: { filter: { itemType: 'device', searchText: 'order 5' } },
  });
  expect(filtered).toMatchObject({ action: 'takeOut', total: 1, collectionID, collectionName: 'Quay' });
  await ended(admin, filtered);
  expect((await itemsOf()).map(({ itemName }) => itemName)).toEqual(['Recorder 3', 'Recorder 4']);
  expect(await devicesLeft(devices)).toEqual(devices);
});

test('a filter names what matches when the job is started', async () => {
  const person = await server.addPerson();
  const keys = await addDevices(person.session, 3);
  const other = await addDevices(admin, 1);
  const job = await person.session.startDeviceBulk({ body: { action: 'sendEvent', event, filter: {} } });
  const late = await addDevices(person.session, 1);
  expect(await ended(person.session, job)).toMatchObject({ total: 3, doneCount: 3, eventType: 'Report_diagnostics' });
  expect(await eventsOf([...keys, ...late, ...other])).toEqual(keys);
  const none = { action: 'sendEvent', event, filter: { searchText: 'no such recorder' } } as const;
  await expect(person.session.startDeviceBulk({ body: none })).rejects.toEqual(refusedWith(409, /Nothing matches/));
});

test('more than 10,000 devices that match are refused', async () => {
  const person = await server.addPerson();
  await server.db`
    insert into devices (user_id, device_name, device_serial)
    select ${person.userID}, 'Many ' || n, 'many-' || n from generate_series(1, 10001) n`;
  const body = { action: 'sendEvent', event, filter: { searchText: 'many' } } as const;
  await expect(person.session.startDeviceBulk({ body })).rejects.toEqual(refusedWith(409, /More than 10,000 match/));
  await server.db`delete from devices where device_serial = 'many-10001'`;
  const job = await person.session.startDeviceBulk({ body });
  expect(job.total).toBe(10_000);
  await person.session.cancelBulkJob({ params: { bulkJobID: job.key } });
});

test('a right that is lost meanwhile ends the changes that need it', async () => {
  const [person, other] = [await server.addPerson(), await server.addPerson({ role: 'admin' })];
  const foreign = await addDevices(person.session, 3);
  const own = await addDevices(other.session, 1);
  const [first = 0] = foreign;
  const job = await whileAt(
    server.db,
    first,
    () => other.session.startDeviceBulk({ body: { action: 'delete', deviceIDs: [...foreign, ...own] } }),
    () => server.db`update users set role = 'member' where key = ${other.userID}`,
  );
  expect(await ended(admin, job)).toMatchObject({ state: 'done', doneCount: 1, failedCount: 3 });
  expect(await devicesLeft([...foreign, ...own])).toEqual(foreign);
});

test('a job stops when its person is disabled or the key that started it is revoked', async () => {
  const person = await server.addPerson();
  const keys = await addDevices(person.session, 3);
  const [first = 0, second = 0] = keys;
  const disabled = await whileAt(
    server.db,
    first,
    () => person.session.startDeviceBulk({ body: { action: 'delete', deviceIDs: keys } }),
    () => server.db`update users set disabled = true where key = ${person.userID}`,
  );
  expect(await ended(admin, disabled)).toMatchObject({
    state: 'stopped',
    doneCount: 0,
    reason: expect.stringContaining('disabled') as string,
  });
  expect(await devicesLeft(keys)).toEqual(keys);
  const { client, apiKeyID } = await server.admin.withKey();
  const revoked = await whileAt(
    server.db,
    second,
    () => client.startDeviceBulk({ body: { action: 'delete', deviceIDs: keys } }),
    () => admin.deleteApiKey({ params: { apiKeyID } }),
  );
  expect(await ended(admin, revoked)).toMatchObject({
    state: 'stopped',
    doneCount: 1,
    reason: expect.stringContaining('revoked') as string,
  });
  expect(await devicesLeft(keys)).toEqual(keys.slice(1));
});

test('a job that is cancelled changes nothing more, not even the record that it is at', async () => {
  const keys = await addDevices(admin, 4);
  const job = await whileAt(
    server.db,
    keys[2] ?? 0,
    () => admin.startDeviceBulk({ body: { action: 'delete', deviceIDs: keys } }),
    async ({ key }) => {
      const params = { bulkJobID: key };
      const cancelled = await admin.cancelBulkJob({ params });
      expect(cancelled).toMatchObject({ state: 'cancelled', doneCount: 2, failedCount: 0, total: 4 });
      expect(await admin.cancelBulkJob({ params })).toEqual(cancelled);
    },
  );
  // The next job begins after the former one was left.
  await ended(admin, await admin.startDeviceBulk({ body: { action: 'delete', deviceIDs: [0] } }));
  expect(await devicesLeft(keys)).toEqual(keys.slice(2));
  expect(await readJob(admin, job.key)).toMatchObject({ state: 'cancelled', doneCount: 2 });
});

test('a connection that is lost in the middle of a change: each device gets one event', async () => {
  const keys = await addDevices(admin, 5);
  const job = await whileAt(
    server.db,
    keys[1] ?? 0,
    () => admin.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: keys } }),
    () => server.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'earshot' and wait_event_type = 'Lock'`,
  );
  expect(await ended(admin, job)).toMatchObject({ state: 'done', doneCount: 5, failedCount: 0 });
  expect(await eventsOf(keys)).toEqual(keys);
});

test('a small job does not wait for the end of a large one', async () => {
  const large = await admin.startDeviceBulk({
    body: { action: 'delete', deviceIDs: Array.from({ length: 10_000 }, (_, at) => 1_000_000_000 + at) },
  });
  await expect.poll(async () => (await readJob(admin, large.key)).failedCount).toBeGreaterThan(0);
  const [device = 0] = await addDevices(admin, 1);
  await ended(admin, await admin.startDeviceBulk({ body: { action: 'delete', deviceIDs: [device] } }));
  expect((await readJob(admin, large.key)).failedCount).toBeLessThan(10_000);
  const first = await admin.listBulkFailures({ params: { bulkJobID: large.key }, body: { count: 2 } });
  expect(first.results.map(({ recordKey }) => recordKey)).toEqual([1_000_000_000, 1_000_000_001]);
  const next = await admin.listBulkFailures({
    params: { bulkJobID: large.key },
    body: { count: 2, cursor: first.next ?? '' },
  });
  expect(next.results.map(({ recordKey }) => recordKey)).toEqual([1_000_000_002, 1_000_000_003]);
  await admin.cancelBulkJob({ params: { bulkJobID: large.key } });
});

// The second node stays for the tests that follow.
test('two nodes at the same record: one event', async () => {
  await server.addNode();
  const keys = await addDevices(admin, 3);
  const locked = () => server.db`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'earshot' and wait_event_type = 'Lock'`;
  const job = await whileAt(
    server.db,
    keys[0] ?? 0,
    () => admin.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: keys } }),
    async () => {
      // As if the lease had ended.
      await server.db`update bulk_jobs set held_until = null, node = null where end_date is null`;
      await expect.poll(async () => (await locked()).length).toBe(2);
    },
  );
  expect(await ended(admin, job)).toMatchObject({ state: 'done', doneCount: 3, failedCount: 0 });
  expect(await eventsOf(keys)).toEqual(keys);
});

test('a record that always fails unexpectedly is named after some attempts, and the others are changed', async () => {
  const keys = await addDevices(admin, 3);
  await server.db.unsafe(`
    create function refuse_event() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger broken before insert on events for each row when (new.device_id = ${keys[1] ?? 0})
      execute function refuse_event();`);
  const job = await admin.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: keys } });
  await expect
    .poll(async () => {
      // It rests for longer after each attempt.
      await server.db`update bulk_jobs set held_until = null where end_date is null and node is null`;
      return (await readJob(admin, job.key)).state;
    })
    .toBe('done');
  await server.db`drop trigger broken on events`;
  expect(await eventsOf(keys)).toEqual([keys[0], keys[2]]);
  expect(await failuresOf(admin, job)).toEqual([
    expect.objectContaining({ recordName: 'Recorder 2', reason: expect.stringContaining('5 times') as string }),
  ]);
});
