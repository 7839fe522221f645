import { randomUUID } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStream } from './stream.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const addDevice = () => server.admin.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });

async function countChanges(): Promise<number> {
  const [row] = await server.db<{ count: number }[]>`select count(*) from changes`;
  return row?.count ?? 0;
}

test('changes are kept for a day; a client that resumes later gets a reset, an earlier one does not', async () => {
  const early = await openStream(server.url, server.admin);
  const { key } = await addDevice();
  const { id } = await early.untilDevice(key);
  await addDevice();
  await server.db`update changes set change_date = now() - interval '23 hours'`;
  await server.db`update changes set change_date = now() - interval '25 hours' where (xid::text || '-' || key) = ${id}`;
  // A starting node sweeps first.
  await server.addNode();
  await expect.poll(countChanges).toBe(1);

  const late = await openStream(server.url, server.admin, early.events[0]?.id);
  await late.untilEvent(({ event }) => event === 'reset');
  const inTime = await openStream(server.url, server.admin, id);
  const [next] = await inTime.heard(addDevice);
  expect(next).toMatchObject({ event: 'device', change: 'created' });
  expect(inTime.events.some(({ event }) => event === 'reset')).toBe(false);
  for (const stream of [early, late, inTime]) stream.close();
});

/** Makes the partition of the hour that began this many hours before the present one. */
async function addPartition(db: TestServer['db'], hours: number): Promise<string> {
  const [row] = await db<{ name: string; since: string; until: string }[]>`
    select to_char(h at time zone 'UTC', '"changes_"YYYYMMDDHH24') as name, h::text as since,
      (h + interval '1 hour')::text as until
    from (select date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours}) as h) hours`;
  const { name = '', since = '', until = '' } = row ?? {};
  await db.unsafe(`create table ${name} partition of changes for values from ('${since}') to ('${until}')`);
  return name;
}

test('EARSHOT_CHANGE_HOURS says how long: older partitions are dropped, and clients from before get a reset', async () => {
  const own = await startTestServer({ changeHours: 4 });
  onTestFinished(() => own.stop());
  const add = () => own.admin.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
  const [old, young] = [await addPartition(own.db, 6), await addPartition(own.db, 3)];
  const early = await openStream(own.url, own.admin);
  const ids: string[] = [];
  for (const name of [old, young]) {
    const { id } = await early.untilDevice((await add()).key);
    ids.push(id);
    await own.db`
      update changes set change_date = to_timestamp(${name.slice(-10)} || '+00', 'YYYYMMDDHH24TZH') + interval '1 minute'
      where (xid::text || '-' || key) = ${id}`;
  }
  const partitions = async () => {
    const rows = await own.db<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'changes'::regclass`;
    return rows.map(({ name }) => name).filter((name) => [old, young].includes(name));
  };
  expect(await partitions()).toHaveLength(2);
  // A starting node sweeps first.
  await own.addNode();
  await expect.poll(partitions).toEqual([young]);

  const late = await openStream(own.url, own.admin, early.events[0]?.id);
  await late.untilEvent(({ event }) => event === 'reset');
  const inTime = await openStream(own.url, own.admin, ids[0]);
  await inTime.untilEvent(({ id }) => id === ids[1]);
  expect(inTime.events.some(({ event }) => event === 'reset')).toBe(false);
  for (const stream of [early, late, inTime]) stream.close();
});

test('changes are sent in a database that was restored from a dump, whose transaction numbers start again', async () => {
  const { key = 0 } = await addDevice();
  await server.db`
    insert into changes (xid, kind, change, record_key, device_id)
    values ('900000000000', 'device', 'changed', ${key}, ${key})`;
  await server.db`update change_sweep set xid = '900000000000', key = 0`;
  const node = await server.addNode();
  const stream = await openStream(node.url, server.admin);
  await stream.heard(addDevice);
  const resumed = await openStream(node.url, server.admin, stream.position);
  expect(await resumed.heard(addDevice)).toEqual([]);
  expect(resumed.events.some(({ event }) => event === 'reset')).toBe(false);
  const former = await openStream(node.url, server.admin, '900000000000-1');
  await former.untilEvent(({ event }) => event === 'reset');
  for (const open of [stream, resumed, former]) open.close();
});
