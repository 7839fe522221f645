import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { connect, inTransaction } from './connect.ts';

const kills = 1_000;
const askers = 12;

test('when connections are cut repeatedly, every query gets a result or an error, and every commit is kept', async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, { connections: 5, name: 'driver victim' });
  const killer = connect(database.url, { connections: 1, name: 'driver killer' });
  onTestFinished(async () => {
    await db.end({ timeout: 1 });
    await killer.end({ timeout: 1 });
    await database.drop();
  });
  await killer`create table counts (asker int primary key, count int not null)`;
  await killer`insert into counts select n, 0 from generate_series(0, ${askers - 1}::int) n`;

  const over = new AbortController();
  const committed = Array.from({ length: askers }, () => 0);
  const ask = async (asker: number): Promise<void> => {
    while (!over.signal.aborted) {
      const counted = inTransaction(db, async (tx) => {
        await tx`select count from counts where asker = ${asker} for update`;
        await tx`update counts set count = count + 1 where asker = ${asker}`;
      });
      await counted.then(
        () => (committed[asker]! += 1),
        () => {},
      );
      await db`select count from counts where asker = ${asker}`.catch(() => {});
      await sleep(Math.random() * 3);
    }
  };
  // A query that never ends would block its caller, and so the test, for ever.
  const all = Array.from({ length: askers }, (_, asker) => ask(asker));
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * 100);
    await killer`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'driver victim'`;
  }
  over.abort();
  await Promise.all(all);

  const stored = await killer<{ count: number }[]>`select count from counts order by asker`;
  expect(committed.every((count) => count > 0)).toBe(true);
  // A commit whose response was lost may increase the count, but no commit may be missing.
  expect(stored.filter(({ count }, asker) => count < committed[asker]!)).toEqual([]);
});
