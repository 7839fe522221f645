import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { connect, inTransaction, type Pool } from './connect.ts';

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
