import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { dropMonths, makeMonths } from '../queries.ts';

/** The sweep of the node drops no month that these tests make. */
const start = async () => {
  const server = await startTestServer({ auditDays: 36_500 });
  onTestFinished(() => server.stop());
  return server.db;
};

test('entries of months without a partition are kept, and get partitions of their own', async () => {
  const db = await start();
  await db`insert into audit_entries (action, audit_date, rule_id) values
    ('sign-in', '2020-01-31T23:59:59.999Z', null), ('clip-locked', '2020-02-01T00:00:00Z', 7), ('sign-in', now() + interval '200 days', null)`;
  const count = async (table: string) => (await db`select 1 from ${db(table)}`).length;
  expect(await count('audit_entries_other')).toBe(3);
  const before = await db`select * from audit_entries order by audit_date, key`;
  await makeMonths(db);
  expect(await db`select * from audit_entries order by audit_date, key`).toEqual(before);
  expect([
    await count('audit_entries_other'),
    await count('audit_entries_2020_01'),
    await count('audit_entries_2020_02'),
  ]).toEqual([0, 1, 1]);
  await expect(db`delete from audit_entries_2020_01`).rejects.toThrow(/cannot be changed/);
  await expect(db`truncate audit_entries_2020_01`).rejects.toThrow(/cannot be changed/);
});

test('old months are dropped whole; younger entries stay', async () => {
  const db = await start();
  await db`insert into audit_entries (action, audit_date) values
    ('sign-in', now() - interval '300 days'), ('sign-out', now() - interval '10 days'), ('sign-in', now())`;
  await makeMonths(db);
  const rows = () => db`select 1 from audit_entries where audit_date < now() - interval '5 days'`;
  expect(await rows()).toHaveLength(2);
  expect(await dropMonths(db, 365)).toBe(0);
  expect(await dropMonths(db, 60)).toBe(1);
  expect(await rows()).toHaveLength(1);
  await expect(dropMonths(db, 29)).rejects.toThrow(/at least 30 days/);
});
