import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withKey } from '../testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('many devices are collected and deleted as one job, which is counted first, followed and cancelled', async () => {
  const cli = await withKey(server);
  const { session, userID } = server.admin;
  await server.db`
    insert into devices (user_id, device_name, device_serial)
    select ${userID}, case when n > 20 then 'Quay ' else 'Gate ' end || n, 'bulk-' || n from generate_series(1, 25) n`;
  const { key: collectionID = 0 } = await session.createCollection({ body: { collectionName: 'Harbour' } });
  const left = async () => (await session.listDevicePage({ body: { count: 100 } })).total;

  expect((await cli.run(['bulk', 'delete'])).code).toBe(2);
  expect((await cli.run(['bulk', 'delete', '--find', 'gate', '--everything'])).code).toBe(2);
  const counted = await cli.run(['bulk', 'delete', '--find', 'gate']);
  expect(counted.err).toContain('It would delete 20 devices. Nothing was changed.');
  expect(await left()).toBe(25);

  const collected = await cli.run(['bulk', 'collect', 'harbour', '--find', 'quay', '--start', '--watch']);
  expect(collected.code, collected.err).toBe(0);
  const items = await session.listCollectionItemPage({ params: { collectionID }, body: {} });
  expect(items.total).toBe(5);

  const deleted = await cli.run(['bulk', 'delete', '-c', 'Harbour', '--start', '--json']);
  expect(deleted.records()).toMatchObject([{ action: 'delete', total: 5 }]);
  const number = String(deleted.records()[0]?.['key']);
  expect((await cli.run(['bulk', 'watch', number])).code).toBe(0);
  expect(await left()).toBe(20);
  expect((await cli.run(['bulk', 'list'])).out).toMatch(/delete +done +5 +5 +0/);
  expect((await cli.run(['bulk', 'cancel', number])).out).toContain(`Job ${number} is done: done for 5 of 5.`);

  // Named when it was started, gone before its turn.
  const [{ key: jobID } = { key: 0 }] = await server.db<{ key: number }[]>`
    insert into bulk_jobs (user_id, action, record_keys, record_names, total)
    values (${userID}, 'delete', '{0}', '{Attic}', 1) returning key`;
  const failed = await cli.run(['bulk', 'watch', String(jobID)]);
  expect(failed.code).toBe(6);
  expect(failed.out).toContain('Attic: There is no device 0, or you may not see it.');
  const sent = ['bulk', 'send', 'Report_diagnostics', '--everything', '--start', '-w', '-p', '{"part":"disk"}'];
  expect((await cli.run(sent)).code).toBe(0);
  expect((await session.listEvents({ body: { count: 100 } })).map(({ eventParameters }) => eventParameters)).toEqual(
    Array.from({ length: 20 }, () => '{"part":"disk"}'),
  );
  expect((await cli.run(['bulk', 'send', 'Report_diagnostics', '--everything', '-p', '[]'])).code).toBe(2);
});
