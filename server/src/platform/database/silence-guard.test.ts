import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import type { DatabaseProxy } from '../../testing/database-proxy.ts';
import { startDatabaseProxy } from '../../testing/database-proxy.ts';
import { connect, inTransaction } from './connect.ts';

async function startProxy(): Promise<DatabaseProxy> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return startDatabaseProxy(database.url);
}

function openPool(url: string, connections: number) {
  const db = connect(url, { connections, name: 'silence test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
}

const silent = { code: 'CONNECTION_SILENT' };

test('queries and transactions of a host that is gone end with an error, and go on when it is back', async () => {
  const proxy = await startProxy();
  const db = openPool(proxy.url, 4);
  await Promise.all([db`select 1`, db`select pg_sleep(0.1)`, db`select pg_sleep(0.1)`]);
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const transaction = inTransaction(db, async (tx) => {
    await tx`select 1`;
    begun();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await tx`select 2`;
  });
  await isBegun;
  proxy.silenceAll();
  const outcomes = await Promise.allSettled([transaction, db`select 3`, db`select 4`]);
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining(silent) })));
  await expect(db`select 5`).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  proxy.answerNewOnes();
  await expect.poll(() => db`select 6 as number`.catch(() => [])).toEqual([{ number: 6 }]);
});

test('a statement that PostgreSQL works on is left to its own limit', async () => {
  const proxy = await startProxy();
  const db = openPool(proxy.url, 1);
  expect(await db`select 7 as number, pg_sleep(11)::text as slept`).toEqual([{ number: 7, slept: '' }]);
});

test('one connection that fell silent does not end the others', async () => {
  const proxy = await startProxy();
  const db = openPool(proxy.url, 2);
  await Promise.all([db`select pg_sleep(0.1)`, db`select pg_sleep(0.1)`]);
  const kept = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
  proxy.silenceFirst();
  const answers = await Promise.allSettled([db`select pg_backend_pid() as pid`, db`select pg_backend_pid() as pid`]);
  const [answered] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.objectContaining(silent) },
  ]);
  expect(kept).toHaveLength(1);
  expect(answered).toHaveLength(1);
  expect(await db`select 8 as number`).toEqual([{ number: 8 }]);
});

test('who waits for a connection longer than a statement may take gets an error', async () => {
  const proxy = await startProxy();
  const db = connect(proxy.url, { connections: 1, name: 'silence test', statementTimeoutMs: 2_000 });
  onTestFinished(() => db.end({ timeout: 1 }));
  let end = () => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const holder = inTransaction(db, () => isOver);
  await expect(db`select 1`).rejects.toMatchObject({ code: 'CONNECTION_BUSY' });
  end();
  await holder;
  expect(await db`select 9 as number`).toEqual([{ number: 9 }]);
});
