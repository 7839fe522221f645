import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { connect, inTransaction } from './connect.ts';

test('transactions that wait for a locked row leave connections to other queries', async () => {
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
    writes = Array.from({ length: 20 }, () =>
      inTransaction(db, (own) => own`update numbers set number = number + 1 where key = 1`),
    );
    await expect.poll(() => db.use().waiting).toBe(16);
    // Neither a query behind one of them, nor one behind those that have no connection yet.
    for (let round = 0; round < 5; round += 1)
      expect(await db`select number from numbers where key = 2`).toEqual([{ number: 7 }]);
  });
  await Promise.all(writes);
  expect(await db`select number from numbers where key = 1`).toEqual([{ number: 20 }]);
});
