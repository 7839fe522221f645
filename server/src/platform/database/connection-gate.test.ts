import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { administer, createTestDatabase } from '../../testing/database.ts';
import type { Pool } from './connect.ts';
import { connect, inTransaction } from './connect.ts';
import { checkConnectionLimits, findPermittedConnections } from './connection-limits.ts';

/** A database with a connection limit. */
async function limitedDatabase(connections: number): Promise<{ url: string; name: string }> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  await administer(inject('postgres').url, `alter database ${name} connection limit ${connections}`);
  return { url: database.url, name };
}

function openPool(url: string, connections: number) {
  const refusals: unknown[] = [];
  const db = connect(url, { connections, name: 'gate test', onRefused: (error) => refusals.push(error) });
  onTestFinished(() => db.end({ timeout: 1 }));
  return { db, refusals };
}

/** Concurrent reads, writes and transactions, far more than there are connections. */
async function load(db: Pool, requests: number): Promise<unknown[]> {
  const work = Array.from({ length: requests }, async (_, index) => {
    if (index % 3 === 0) await db`select pg_sleep(0.002)`;
    else if (index % 3 === 1) await db`insert into numbers values (${index})`;
    else {
      await inTransaction(db, async (tx) => {
        await tx`insert into numbers values (${index})`;
        await tx`select count(*) from numbers`;
      });
    }
  });
  const outcomes = await Promise.allSettled(work);
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
}

test('two pools of up to 20 connections each share a database that permits 6, and no query fails', async () => {
  const { url } = await limitedDatabase(6);
  const [one, other] = [openPool(url, 20), openPool(url, 20)];
  await one.db`create table numbers (number int)`;
  await other.db`select 1`;
  for (let round = 0; round < 3; round += 1) {
    const failures = await Promise.all([load(one.db, 300), load(other.db, 300)]);
    expect(failures).toEqual([[], []]);
  }
  const [row] = await one.db<{ count: number }[]>`select count(*) from numbers`;
  expect(row?.count).toBe(2 * 3 * 200);
  expect(one.refusals.length + other.refusals.length).toBeGreaterThan(0);
  // Not one attempt per query: after a refusal the pool waits before the next attempt.
  expect(one.refusals.length + other.refusals.length).toBeLessThan(100);
});

test('a pool without any connection waits until one is free', async () => {
  const { url } = await limitedDatabase(1);
  const [holder, waiting] = [openPool(url, 1), openPool(url, 5)];
  await holder.db`select 1`;
  const answers = Promise.all(Array.from({ length: 10 }, () => waiting.db`select 1 as one`));
  await expect.poll(() => waiting.refusals.length).toBeGreaterThan(1);
  await holder.db.end();
  expect(await answers).toHaveLength(10);
});

test('a query that waits ten seconds for a connection fails with the refusal', async () => {
  const { url } = await limitedDatabase(1);
  const [holder, waiting] = [openPool(url, 1), openPool(url, 5)];
  await holder.db`select 1`;
  const outcomes = await Promise.allSettled([waiting.db`select 1`, inTransaction(waiting.db, (tx) => tx`select 1`)]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '53300' } });
  await holder.db.end();
  await sleep(100);
  expect(await waiting.db`select 1 as one`).toEqual([{ one: 1 }]);
});

test('the pool grows again when the limit is raised', async () => {
  const { url, name } = await limitedDatabase(2);
  // Transactions reserve all but one of them.
  const { db, refusals } = openPool(url, 7);
  await Promise.all(Array.from({ length: 6 }, () => db`select pg_sleep(0.01)`));
  expect(refusals.length).toBeGreaterThan(0);
  await administer(inject('postgres').url, `alter database ${name} connection limit 20`);
  const countAtOnce = async () => {
    await Promise.all(Array.from({ length: 6 }, () => inTransaction(db, (tx) => tx`select pg_sleep(0.05)`)));
    const [row] = await db<{ count: number }[]>`
      select count(*) from pg_stat_activity where datname = current_database() and application_name = 'gate test'`;
    return row?.count;
  };
  await expect.poll(countAtOnce).toBe(6);
});

test('the connection limits of the database are checked at the start', async () => {
  const { url, name } = await limitedDatabase(10);
  const { db } = openPool(url, 1);
  expect(await findPermittedConnections(db)).toEqual({
    count: 10,
    setting: `the database ${name} has a connection limit of 10`,
  });
  expect(await checkConnectionLimits(db, 8)).toBeUndefined();
  expect(await checkConnectionLimits(db, 10)).toMatch(/^the database permits 10 .* needs 12: .* to 8 or less$/);
  await expect(checkConnectionLimits(db, 11)).rejects.toThrow(/EARSHOT_DATABASE_CONNECTIONS to 8 or less$/);
  await administer(inject('postgres').url, `alter database ${name} connection limit 3`);
  await expect(checkConnectionLimits(db, 2)).rejects.toThrow(/needs 4: .*Raise that limit$/);
  await administer(inject('postgres').url, `alter database ${name} connection limit -1`);
  const [row] = await db<{ most: number }[]>`select current_setting('max_connections')::int as most`;
  const most = row?.most ?? 0;
  expect(await findPermittedConnections(db)).toEqual({
    count: most - 3,
    setting: `max_connections is ${most}, of which 3 are reserved`,
  });
});
