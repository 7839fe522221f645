import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import type { Db, Pool } from './connect.ts';
import { connect, inTransaction } from './connect.ts';

const raise = (db: Db) => db`update numbers set number = number + 1 where key = 1`;
const writers: readonly (readonly [string, (db: Pool) => Promise<unknown>])[] = [
  ['transactions', (db) => inTransaction(db, (tx) => raise(tx))],
  ['single statements', async (db) => void (await raise(db))],
];

test.for(writers)('%s that wait for a locked row leave connections to other queries', async ([, write]) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const db = connect(database.url, { connections: 5, name: 'reserved test' });
  const holder = connect(database.url, { connections: 1, name: 'holder' });
  onTestFinished(async () => {
    await db.end({ timeout: 1 });
    await holder.end({ timeout: 1 });
  });
  await db`create table numbers (key int primary key, number int)`;
  await db`insert into numbers values (1, 0), (2, 7)`;
  let writes: Promise<unknown>[] = [];
  await holder.begin(async (tx) => {
    await tx`select from numbers where key = 1 for update`;
    writes = Array.from({ length: 20 }, () => write(db));
    await expect.poll(() => db.use().waiting).toBe(16);
    // Neither a query behind one of them, nor one behind those that have no connection yet.
    for (let round = 0; round < 5; round += 1)
      expect(await db`select number from numbers where key = 2`).toEqual([{ number: 7 }]);
  });
  await Promise.all(writes);
  expect(await db`select number from numbers where key = 1`).toEqual([{ number: 20 }]);
});

test('whoever waits for ten seconds for a locked row is told so', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const db = connect(database.url, { connections: 2, name: 'lock test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await db`create table numbers (key int primary key)`;
  await db`insert into numbers values (1)`;
  await inTransaction(db, async (tx) => {
    await tx`select from numbers where key = 1 for update`;
    await expect(db`delete from numbers where key = 1`).rejects.toMatchObject({ code: '55P03' });
  });
});
