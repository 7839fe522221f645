import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import type { Pool } from '../database/connect.ts';
import { connect, inTransaction } from '../database/connect.ts';
import { dropPartitions, makePartitions } from './partitions.ts';

const keptHours = 24;

async function openDatabase(): Promise<Pool> {
  const database = await createTestDatabase();
  const db = connect(database.url, { connections: 4, name: 'partition test' });
  onTestFinished(async () => {
    await db.end({ timeout: 1 });
    await database.drop();
  });
  return db;
}

/** The partitions, by how many hours they are from the present one, and the number of their rows. */
async function countRows(db: Pool): Promise<Record<string, number>> {
  const rows = await db<{ place: string; count: number }[]>`
    select coalesce((extract(epoch from
        to_timestamp(substring(c.relname from '[0-9]{10}') || '+00', 'YYYYMMDDHH24TZH')
        - date_trunc('hour', now(), 'UTC')) / 3600)::int::text, 'default') as place,
      (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || c.oid::regclass, false, true, '')))[1]::text::int
        as count
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'changes'::regclass`;
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]));
}

const addChange = (db: Pool, hours: number) => db`
  insert into changes (kind, change, record_key, change_date)
  values ('device', 'changed', 1, date_trunc('hour', now(), 'UTC') + make_interval(hours => ${hours}, mins => 30))`;

async function addPartition(db: Pool, hours: number): Promise<void> {
  const [row] = await db<{ name: string; since: string; until: string }[]>`
    select to_char(h at time zone 'UTC', '"changes_"YYYYMMDDHH24') as name, h::text as since,
      (h + interval '1 hour')::text as until
    from (select date_trunc('hour', now(), 'UTC') + make_interval(hours => ${hours}) as h) hours`;
  await db.unsafe(
    `create table ${row?.name} partition of changes for values from ('${row?.since}') to ('${row?.until}')`,
  );
}

function openGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const readSwept = (db: Pool) => db`select xid::text || '-' || key as place from change_sweep`;
const listPlaces = async (db: Pool) =>
  (await db<{ place: string }[]>`select xid::text || '-' || key as place from changes order by xid, key`).map(
    ({ place }) => place,
  );

test('the migration makes partitions for the present hour and the next six; a change always has a place', async () => {
  const db = await openDatabase();
  // An hour may have ended since.
  expect(await countRows(db)).toMatchObject({ default: 0, 0: 0, 5: 0 });
  await addChange(db, 0);
  await addChange(db, -3);
  await addChange(db, 100);
  expect(await countRows(db)).toMatchObject({ default: 2, 0: 1 });
});

async function dropAll(db: Pool): Promise<void> {
  const names = await db<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'changes'::regclass and inhrelid::regclass::text <> 'changes_default'`;
  for (const { name } of names) await db.unsafe(`drop table ${name}`);
}

test('partitions are made for the next hours, and changes that came before move to theirs', async () => {
  const db = await openDatabase();
  await dropAll(db);
  for (const hours of [0, 3, 3, -3]) await addChange(db, hours);
  const before = await listPlaces(db);
  // As two nodes that start together.
  await Promise.all([makePartitions(db), makePartitions(db)]);
  await makePartitions(db);
  expect(await countRows(db)).toMatchObject({ default: 2, 2: 0, 3: 2, 4: 0, 5: 0, 6: 0 });
  expect(await listPlaces(db)).toEqual(before);
});

test('writes never fail while partitions are made', async () => {
  const db = await openDatabase();
  await dropAll(db);
  const over = new AbortController();
  const write = async () => {
    let count = 0;
    for (; !over.signal.aborted; count++) await addChange(db, 0);
    return count;
  };
  const writers = [write(), write()];
  for (let round = 0; round < 10; round++) {
    await makePartitions(db);
    const names = await db<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'changes'::regclass and inhrelid::regclass::text <> 'changes_default'`;
    expect(names.length).toBeGreaterThan(4);
    await dropAll(db);
  }
  over.abort();
  const [one = 0, other = 0] = await Promise.all(writers);
  expect(await countRows(db)).toEqual({ default: one + other });
});

test.each([24, 2])(
  'partitions older than %i hours are dropped, and the place of their last change is known',
  async (hours) => {
    const db = await openDatabase();
    const [oldest, old, young] = [-hours - 6, -hours - 1, -hours];
    for (const hour of [oldest, old, young]) await addPartition(db, hour);
    for (const hour of [oldest, old, young, 0]) await addChange(db, hour);
    const places = await listPlaces(db);
    const dropAndList = async () => {
      await dropPartitions(db, hours);
      return listPlaces(db);
    };
    // Transactions of other databases hold it up too, and other tests run beside this one.
    await expect.poll(dropAndList).toEqual(places.slice(2));
    expect(await readSwept(db)).toEqual([{ place: places[1] }]);
    const left = await countRows(db);
    expect(left).not.toHaveProperty(String(old));
    expect(left).toMatchObject({ [young]: 1 });
  },
);

test('a partition is kept while a running transaction can precede its changes, or holds the table', async () => {
  const db = await openDatabase();
  await addPartition(db, -30);
  const gates = openGate();
  const begun = openGate();
  const running = inTransaction(db, async (tx) => {
    await tx`insert into nodes (node_id, heard_date) values (gen_random_uuid(), now())`;
    begun.resolve();
    await gates.promise;
  });
  await begun.promise;
  await addChange(db, -30);
  await dropPartitions(db, keptHours);
  expect(await countRows(db)).toMatchObject({ '-30': 1 });
  gates.resolve();
  await running;

  const holding = openGate();
  const held = openGate();
  const writing = inTransaction(db, async (tx) => {
    await tx`insert into changes (kind, change, record_key) values ('device', 'changed', 2)`;
    held.resolve();
    await holding.promise;
  });
  await held.promise;
  // It gives up after half a second, so that other writers do not wait behind it.
  await dropPartitions(db, keptHours);
  expect(await countRows(db)).toMatchObject({ '-30': 1 });
  holding.resolve();
  await writing;
  await dropPartitions(db, keptHours);
  expect(await countRows(db)).not.toHaveProperty('-30');
});
