// What contact and the log of changes cost PostgreSQL: the present tables compared with those of migration 0034, with the
// statements of that time, in the same server.
import { cp, mkdtemp, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordPolls } from '@earshot/server/features/device/public';
import { readChanges, sweepChanges } from '@earshot/server/features/live/queries';
import type { Db, Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { migrate } from '@earshot/server/platform/database/migrate';
import { silentLog } from '@earshot/server/testing/log';
import { openBench } from '../open-bench.ts';

const bench = openBench({
  name: 'tables',
  goals: {
    'contact: time, as a ratio to the former tables': { atMost: 0.7 },
    'contact: written to the log of PostgreSQL, as a ratio to the former tables': { atMost: 0.6 },
    'contact: rows updated without index entries (HOT)': { atLeast: 95, unit: '%' },
    'sweep: time, as a ratio to the former tables': { atMost: 0.1 },
    'sweep: dead rows': { atMost: 0, inAnySize: true },
    'reading the log of changes: time, as a ratio to the former tables': { atMost: 3 },
  },
  sizes: {
    usual: { devices: 2_000, contacts: 60, changes: 300_000, rounds: 500 },
    small: { devices: 50, contacts: 3, changes: 2_000, rounds: 10 },
  },
});
const { devices, contacts, changes, rounds } = bench.size;
const formerMigrations = 34;
const migrationsDir = fileURLToPath(new URL('../../server/migrations', import.meta.url));

interface ContactFigures {
  readonly elapsedMs: number;
  readonly logBytes: number;
  readonly hotPercent: number;
}

interface SweepFigures {
  readonly elapsedMs: number;
  readonly deadRows: number;
}

interface TableFigures {
  readonly contact: ContactFigures;
  readonly sweep: SweepFigures;
  readonly readingMs: number;
}

const folder = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: silentLog });
try {
  const formerDir = join(folder, 'migrations');
  await mkdir(formerDir);
  const names = (await readdir(migrationsDir)).toSorted().slice(0, formerMigrations);
  for (const name of names) await cp(join(migrationsDir, name), join(formerDir, name));

  const former = await inSchema('former', formerDir, async (db) => {
    await fillDevices(db);
    const contact = await measureContact(db, 'devices', formerPolls);
    await fillChanges(db);
    return { contact, sweep: await measureSweep(db, formerSweep), readingMs: await measureReading(db) };
  });
  const present = await inSchema('present', migrationsDir, async (db) => {
    await fillDevices(db);
    const contact = await measureContact(db, 'devices, device_states', recordPolls);
    await makePastPartitions(db);
    await fillChanges(db);
    const sweep = await measureSweep(db, (all) => sweepChanges(all, 24));
    return { contact, sweep, readingMs: await measureReading(db) };
  });
  judge(former, present);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
bench.end();

function judge(former: TableFigures, present: TableFigures): void {
  const ratio = (of: (figures: TableFigures) => number) => of(present) / of(former);
  bench.judge(
    'contact: time, as a ratio to the former tables',
    ratio(({ contact }) => contact.elapsedMs),
  );
  bench.judge(
    'contact: written to the log of PostgreSQL, as a ratio to the former tables',
    ratio(({ contact }) => contact.logBytes),
  );
  bench.judge('contact: rows updated without index entries (HOT)', present.contact.hotPercent);
  bench.judge(
    'sweep: time, as a ratio to the former tables',
    ratio(({ sweep }) => sweep.elapsedMs),
  );
  bench.judge('sweep: dead rows', present.sweep.deadRows);
  bench.judge(
    'reading the log of changes: time, as a ratio to the former tables',
    ratio(({ readingMs }) => readingMs),
  );
}

async function inSchema(
  name: string,
  migrations: string,
  work: (db: Pool) => Promise<TableFigures>,
): Promise<TableFigures> {
  const { host, port, database, username, password } = postgres.connection;
  const setting = `search_path=${name},public`;
  const url = `postgres://${username}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}&${setting}`;
  const db = connect(url, { connections: 1, name: 'bench', statementTimeoutMs: 0 });
  try {
    await db.unsafe(`create schema ${name}`);
    await migrate(db, migrations, silentLog);
    bench.say(`${name} tables`);
    return await work(db);
  } finally {
    await db.end({ timeout: 1 });
  }
}

async function fillDevices(db: Pool): Promise<void> {
  await db`insert into users (email, role, password_hash, postback_secret) values ('bench', 'admin', '', '')`;
  await db`
    insert into devices (user_id, device_serial, device_name, device_description)
    select u.key, 'recorder-' || n, 'Recorder ' || n, 'north gate, second mast, facing the river'
    from users u, generate_series(1, ${devices}::int) n`;
  await db.unsafe('vacuum analyze');
}

/** As each node does once a second for the devices whose polls wait. */
async function measureContact(db: Pool, tables: string, record: typeof recordPolls): Promise<ContactFigures> {
  const rows = await db<{ key: number }[]>`select key from devices order by key`;
  const before = await readLog(db);
  const start = performance.now();
  for (let round = 0; round < contacts; round++)
    await record(
      db,
      rows.map(({ key }) => key),
    );
  const elapsedMs = performance.now() - start;
  const logBytes = (await readLog(db)) - before;
  await db`select pg_stat_force_next_flush()`;
  const stats = await db<{ table: string; updates: number; hot: number; dead: number; size: string }[]>`
    select relname as table, n_tup_upd as updates, n_tup_hot_upd as hot, n_dead_tup as dead,
      pg_size_pretty(pg_total_relation_size(relid)) as size
    from pg_stat_user_tables
    where schemaname = current_schema() and relname = any(${tables.split(', ')}::text[]) order by 1`;
  bench.say(
    `  contact of ${devices} devices, ${contacts} times: ${(elapsedMs / contacts).toFixed(1)} ms each time, ${megabytes(logBytes)} of log`,
  );
  for (const { table, updates, hot, dead, size } of stats) {
    const share = updates === 0 ? '' : `, ${((100 * hot) / updates).toFixed(1)} % without index entries (HOT)`;
    bench.say(`    ${table}: ${updates} updates${share}, ${dead} dead rows, ${size}`);
  }
  const sum = (of: 'updates' | 'hot') => stats.reduce((total, row) => total + row[of], 0);
  return { elapsedMs, logBytes, hotPercent: (100 * sum('hot')) / sum('updates') };
}

async function formerPolls(db: Db, deviceIDs: readonly number[]): Promise<void> {
  await db`
    with polled as (
      update devices d set last_poll_date = now() where d.key in (
        select key from devices where key = any(${deviceIDs as number[]}::bigint[]) for no key update skip locked)
      returning d.key as device_id),
    came as (
      insert into online_devices as o (device_id, until)
      select c.device_id, now() + interval '120 seconds' from (select device_id from polled) c
      where not exists (
        select 1 from online_devices known
        where known.device_id = c.device_id and known.until > now() + interval '30 seconds')
      order by c.device_id
      on conflict (device_id) do update set until = excluded.until
      returning o.device_id as key, o.device_id, o.since)
    insert into changes (kind, change, record_key, device_id, readers)
    select 'device', 'changed'::change_name, r.key, r.device_id, null::bigint[]
    from (select key, device_id from came where since = now()) r`;
}

async function makePastPartitions(db: Pool): Promise<void> {
  for (let hours = 26; hours > 0; hours--) {
    const [row] = await db<{ name: string; since: string; until: string }[]>`
      select to_char(h at time zone 'UTC', '"changes_"YYYYMMDDHH24') as name, h::text as since,
        (h + interval '1 hour')::text as until
      from (select date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours}) as h) hours`;
    await db.unsafe(
      `create table ${row?.name} partition of changes for values from ('${row?.since}') to ('${row?.until}')`,
    );
  }
}

/** The given number in an hour that is over since a day, and a thousand in each hour since. */
async function fillChanges(db: Pool): Promise<void> {
  await db`truncate changes`;
  await db`
    insert into changes (kind, change, record_key, device_id, change_date)
    select 'device', 'changed', n, n, date_trunc('hour', now(), 'UTC') - interval '25 hours' + n * interval '1 ms'
    from generate_series(1, ${changes}::int) n`;
  for (let hours = 24; hours >= 0; hours--) {
    await db`
      insert into changes (kind, change, record_key, device_id, change_date)
      select 'device', 'changed', n, n, date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours}) + n * interval '1 ms'
      from generate_series(1, 1000) n`;
  }
  await db.unsafe('vacuum analyze');
}

async function measureSweep(db: Pool, sweep: (db: Pool) => Promise<void>): Promise<SweepFigures> {
  const before = await readLog(db);
  const start = performance.now();
  await sweep(db);
  const elapsedMs = performance.now() - start;
  const bytes = (await readLog(db)) - before;
  await db`select pg_stat_force_next_flush()`;
  const [row] = await db<[{ left: number; dead: number }]>`
    select (select count(*) from changes) as left, (
      select coalesce(sum(n_dead_tup), 0)::int from pg_stat_user_tables
      where schemaname = current_schema() and relname like 'changes%') as dead`;
  bench.say(
    `  sweep of ${changes} changes: ${elapsedMs.toFixed(0)} ms, ${megabytes(bytes)} of log, ${row.dead} dead rows, ${row.left} changes left`,
  );
  return { elapsedMs, deadRows: row.dead };
}

async function formerSweep(db: Pool): Promise<void> {
  for (let count = 5_000; count === 5_000;) {
    const rows = await db`
      with oldest as (
        select xid, key, change_date from changes where xid < pg_snapshot_xmin(pg_current_snapshot())
        order by xid, key limit 5000),
      gone as (
        delete from changes c using oldest o
        where c.xid = o.xid and c.key = o.key and o.change_date < now() - interval '24 hours'
        returning c.xid, c.key),
      last as (select xid, key from gone order by xid desc, key desc limit 1),
      noted as (
        update change_sweep s set xid = last.xid, key = last.key from last where (s.xid, s.key) < (last.xid, last.key))
      select 1 from gone`;
    count = rows.length;
  }
}

/** Reads after the last change, as the feed of a node does; milliseconds. */
async function measureReading(db: Pool): Promise<number> {
  const [end] = await db<{ xid: number; key: number }[]>`
    select xid::text::bigint as xid, key from changes order by changes.xid desc, changes.key desc limit 1`;
  const readingMs = await findMedianMs(() => readChanges(db, end!, [], 200));
  bench.say(`  reading the log after its last change: ${readingMs.toFixed(2)} ms`);
  // In one transaction, because the disk would be all that is measured otherwise.
  const writingMs = await db.begin((tx) =>
    findMedianMs(
      () => tx`insert into changes (kind, change, record_key, device_id) values ('device', 'changed', 1, 1)`,
    ),
  );
  bench.say(`  writing a change: ${writingMs.toFixed(2)} ms`);
  return readingMs;
}

async function findMedianMs(work: () => PromiseLike<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((one, other) => one - other)[rounds / 2]!;
}

async function readLog(db: Pool): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`;
  return row?.bytes ?? 0;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
