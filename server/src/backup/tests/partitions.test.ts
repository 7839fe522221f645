import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../../node.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { silentLog } from '../../testing/log.ts';
import { baseConfig, testNodeOptions } from '../../testing/server.ts';
import { listLoadHindrances } from '../catalog.ts';
import { makeFolder } from './installations.ts';

test('the indexes of partitioned tables are made again with those of their partitions', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  // It makes partitions. While it runs, its statements and those below would wait for each other.
  const node = await startNode(
    testNodeOptions(baseConfig(await makeFolder(), database.url, randomBytes(32)), silentLog),
  );
  await node.stop();
  const client = new Client({ connectionString: database.url });
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
