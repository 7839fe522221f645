import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import type { Db, Pool } from './connect.ts';
import { connect, inTransaction } from './connect.ts';

async function openDatabase(): Promise<URL> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return new URL(database.url);
}

/** A pool of one connection, so that the next query uses the one that was lost. */
async function openPool(): Promise<Pool> {
  const url = await openDatabase();
  const db = connect(url.href, { connections: 1, name: 'driver test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await db`create table numbers (number int)`;
  return db;
}

// The end may be announced (57P01) before it comes.
const lostCode = expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET)$/);

test('a transaction whose connection is lost is refused every further statement, and nothing else is affected', async () => {
  const db = await openPool();
  const transaction = inTransaction(db, async (tx) => {
    await tx`insert into numbers values (1)`;
    await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
    await tx`insert into numbers values (2)`;
  });
  await expect(transaction).rejects.toMatchObject({ code: lostCode });
  expect(await db`select number from numbers`).toEqual([]);
});

test('after the reconnect, its connection no longer belongs to that transaction', async () => {
  const db = await openPool();
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const transaction = inTransaction(db, async (tx) => {
    await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
    await resumed;
    await tx`insert into numbers values (1)`.catch(() => {});
    end();
  });
  await expect(transaction).rejects.toMatchObject({ code: lostCode });

  await inTransaction(db, async (tx) => {
    await tx`insert into numbers values (2)`;
    resume();
    await ended;
    await tx`insert into numbers values (3)`;
  });
  expect(await db`select number from numbers order by number`).toEqual([{ number: 2 }, { number: 3 }]);
});

const killAll = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'driver test'`;

async function openKiller(db: Pool): Promise<Pool> {
  const [row] = await db<{ name: string }[]>`select current_database() as name`;
  const url = new URL(inject('postgres').url);
  url.pathname = `/${row?.name}`;
  const killer = connect(url.href, { connections: 1, name: 'driver killer' });
  onTestFinished(() => killer.end({ timeout: 1 }));
  return killer;
}

test('an idle connection that is lost is replaced, without an error that nobody handles', async () => {
  const db = await openPool();
  const killer = await openKiller(db);
  for (let round = 0; round < 5; round += 1) {
    await killer.unsafe(killAll);
    // The loss may not be known yet when the next query is sent.
    await expect.poll(() => db`select 1 as one`.catch(() => [])).toEqual([{ one: 1 }]);
  }
});

test('every query that was sent on a lost connection is rejected, and the next one is answered', async () => {
  const db = await openPool();
  const killer = await openKiller(db);
  const sent = Array.from({ length: 50 }, () => db`select pg_sleep(10)`);
  const outcomes = Promise.allSettled(sent);
  await expect
    .poll(() => killer`select from pg_stat_activity where application_name = 'driver test' and state = 'active'`)
    .toHaveLength(1);
  await killer.unsafe(killAll);
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: lostCode } });
  expect(await db`select 2 as answer`).toEqual([{ answer: 2 }]);
});

test('a transaction with a statement that failed is rolled back, even if that was ignored', async () => {
  const db = await openPool();
  const transaction = inTransaction(db, async (tx) => {
    await tx`insert into numbers values (1)`;
    await tx`select 1 / 0`.catch(() => {});
  });
  await expect(transaction).rejects.toMatchObject({ code: '22012' });
  expect(await db`select number from numbers`).toEqual([]);
});

test('the statements of a transaction that has ended are refused', async () => {
  const db = await openPool();
  const ended = await inTransaction(db, async (tx) => ({ tx }));
  await expect(ended.tx`insert into numbers values (1)`).rejects.toThrow('has ended');
  expect(await db`select number from numbers`).toEqual([]);
});

test('a prepared statement whose columns were changed by a migration is prepared again', async () => {
  const db = await openPool();
  const read = () => db`select * from numbers`;
  await db`insert into numbers values (1)`;
  expect(await read()).toEqual([{ number: 1 }]);
  await db`alter table numbers add column name text`;
  expect(await read()).toEqual([{ number: 1, name: null }]);
  await db.unsafe('deallocate all');
  expect(await read()).toEqual([{ number: 1, name: null }]);
});

test('a statement that failed because a table was missing works once there is one, also in a transaction', async () => {
  const db = await openPool();
  const read = (tx: Db) => tx`select name from names`;
  const both = await Promise.allSettled([read(db), read(db)]);
  for (const outcome of both) expect(outcome).toMatchObject({ reason: { code: '42P01' } });
  await db`create table names (name text)`;
  expect(await inTransaction(db, async (tx) => await read(tx))).toEqual([]);
});

test('a server that closes connections before they are ready is reported to the waiting queries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  const server = createServer((socket) => socket.destroy()).listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  const settings = { host: folder, port: 5432, database: 'none', username: 'none', password: 'none' };
  const db = connect(settings, { connections: 3, name: 'driver test' });
  onTestFinished(async () => {
    await db.end({ timeout: 1 });
    server.close();
    await rm(folder, { recursive: true });
  });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 10 }, () => db`select 1`),
    db.begin(async () => 1),
  ]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: lostCode } });
});

test('the end waits for what was sent, refuses what is new, and cuts off what takes too long', async () => {
  const patient = await openPool();
  const answer = patient`select pg_sleep(0.05), 1 as one`.then((rows) => rows);
  const ended = patient.end();
  await expect(patient`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
  await ended;
  expect(await answer).toMatchObject([{ one: 1 }]);
  const hasty = await openPool();
  const cut = hasty`select pg_sleep(60)`.catch((error: unknown) => error);
  await hasty.end({ timeout: 0.1 });
  expect(await cut).toMatchObject({ code: 'CONNECTION_DESTROYED' });
});

test('a connection that is lost at the moment when it was opened is told as lost, and another one is opened', async () => {
  const url = await openDatabase();
  const opening = Client.prototype as unknown as { connect: (this: Client) => Promise<unknown> };
  const openWell = Reflect.get(opening, 'connect');
  vi.spyOn(opening, 'connect').mockImplementationOnce(async function (this: Client) {
    await openWell.call(this);
    (this.connection as unknown as EventEmitter).emit('error', new Error('cut'));
  });
  const db = connect(url.href, { connections: 1, name: 'driver test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await expect(inTransaction(db, (tx) => tx`create table numbers (number int)`)).rejects.toMatchObject({
    code: 'CONNECTION_CLOSED',
  });
  expect(await db`select 1 as number`).toEqual([{ number: 1 }]);
});
