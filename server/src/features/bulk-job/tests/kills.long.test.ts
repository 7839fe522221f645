import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startTestServer } from '@earshot/server/testing/server';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test } from 'vitest';
import type { NodeProcess } from '../../event/tests/node-process.ts';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { readJob } from './scene.ts';

const devices = 800;
const leastKills = 6;

test('while nodes are killed, each device is changed once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-bulk-kills-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey, storage });
  onTestFinished(() => server.stop());
  const { session: client, userID } = server.admin;
  const rows = await server.db<{ key: number }[]>`
    insert into devices (user_id, device_name, device_serial)
    select ${userID}, 'Recorder ' || n, 'bulk-' || n from generate_series(1, ${2 * devices}::int) n returning key`;
  const keys = rows.map(({ key }) => key);
  const [removed, kept] = [keys.slice(0, devices), keys.slice(devices)];
  const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'Quay' } });
  let count = 0;
  const start = (): Promise<NodeProcess> =>
    startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, `node-${(count += 1)}`),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: storage.url,
      EARSHOT_MODEL_DIR: testModelFolder,
    });
  const nodes = [await start(), await start()];
  const event = { eventType: 'Report_diagnostics' };
  const jobs = [
    await client.startDeviceBulk({ body: { action: 'delete', deviceIDs: removed } }),
    await client.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: kept } }),
    await client.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: kept } }),
    await client.startDeviceBulk({ body: { action: 'collect', collectionID, deviceIDs: kept } }),
  ];
  const states = () => Promise.all(jobs.map(({ key }) => readJob(client, key)));
  let kills = 0;
  while (kills < leastKills) {
    const [node] = nodes.splice(Math.floor(Math.random() * nodes.length), 1);
    await sleep(100 + Math.random() * 600);
    await node?.killNow();
    kills += 1;
    // Without this each kill would cost a lease. It also makes nodes work at the same records.
    await server.db`update bulk_jobs set held_until = null where end_date is null`;
    nodes.push(await start());
  }
  await expect
    .poll(states, { timeout: 180_000, interval: 500 })
    .toEqual(jobs.map(() => expect.objectContaining({ state: 'done', doneCount: devices, failedCount: 0 }) as unknown));
  const [found] = await server.db<object[]>`
    select (select count(*)::int from devices where key = any(${removed}::bigint[])) as left,
      (select count(*)::int from audit_entries where action = 'device-removed') as removals,
      (select array_agg(distinct n) from (
        select count(*)::int as n from events where device_id = any(${kept}::bigint[]) group by device_id) e) as events,
      (select count(*)::int from events) as all,
      (select count(*)::int from audit_entries where action = 'item-shared') as shared,
      (select count(*)::int from collection_items where collection_id = ${collectionID}) as items`;
  expect(found).toEqual({
    left: 0,
    removals: devices,
    events: [2],
    all: 2 * devices,
    shared: devices,
    items: devices,
  });
  process.stdout.write(`${jobs.length} jobs of ${devices} devices, ${kills} kills\n`);
});
