import { startTestServer } from '@earshot/server/testing/server';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listLoadHindrances } from '../catalog.ts';

test('the indexes of partitioned tables are made again with those of their partitions', async () => {
  const server = await startTestServer({ role: 'server' });
  onTestFinished(() => server.stop());
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const list = async () => {
    const { rows } = await client.query<{ index: string }>(`
      select c.relname || ' ' || (select count(*) from pg_inherits i where i.inhparent = c.oid) || ' ' || x.indisvalid as index
      from pg_class c join pg_index x on x.indexrelid = c.oid where c.relkind = 'I' order by 1`);
    return rows;
  };
  const before = await list();
  expect(before.length).toBeGreaterThan(4);
  await client.query('begin');
  const hindrances = await listLoadHindrances(client);
  for (const { drop } of hindrances) await client.query(drop);
  for (const { create } of hindrances.toReversed()) await client.query(create);
  expect(await list()).toEqual(before);
  await client.query('rollback');
});
