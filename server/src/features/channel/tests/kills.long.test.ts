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
import { createChannelScene, startChannelServer, startTold } from './scene.ts';

const channels = 12;
const clips = 20;
const leastKills = 8;

test('while nodes that send are killed, each message is sent at least once, always with its own id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-channel-kills-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey, storage, allowNetworks: ['127.0.0.0/8'] });
  onTestFinished(() => server.stop());
  let count = 0;
  const start = (): Promise<NodeProcess> =>
    startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, `node-${(count += 1)}`),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: storage.url,
      EARSHOT_MODEL_DIR: testModelFolder,
      EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
    });
  const nodes = [await start(), await start()];
  // Answers late, so that many messages are under way when a node is killed.
  const told = await startTold((_request, response) => void setTimeout(() => response.end(), 300 * Math.random()));
  const { addDevice, addChannel, addRule, sayFire, allJudged } = await createChannelScene(server);
  const device = await addDevice();
  const to: { channelID: number }[] = [];
  for (let number = 0; number < channels; number += 1)
    to.push({ channelID: await addChannel(`http://127.0.0.1:${told.port}/${number}`) });
  await addRule({
    when: { words: 'fire' },
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: [{ action: 'notify', to }],
  });
  let kills = 0;
  const saying = (async () => {
    for (let minutes = clips; minutes > 0; minutes -= 1) await sayFire(device, minutes);
  })();
  const killing = (async () => {
    while (kills < leastKills) {
      const [node] = nodes.splice(Math.floor(Math.random() * nodes.length), 1);
      await sleep(200 + Math.random() * 800);
      await node?.killNow();
      kills += 1;
      nodes.push(await start());
    }
  })();
  await Promise.all([saying, killing]);
  await allJudged();
  const waiting = () => server.db`select 1 from deliveries where state = 'waiting'`;
  // A killed node held some of them by its lease.
  await expect.poll(async () => (await waiting()).length, { timeout: 180_000, interval: 500 }).toBe(0);
  const rows = await server.db<{ id: string; state: string; attempts: number }[]>`
    select message_id::text as id, state, attempts from deliveries`;
  expect(rows).toHaveLength(channels * clips);
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['delivered']));
  const received = told.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(received)).toEqual(new Set(rows.map(({ id }) => id)));
  process.stdout.write(`${rows.length} messages, ${kills} kills, ${received.length - rows.length} sent twice\n`);
});

test('a receiver that answers after 40 s gets the message again, with the same id, and other channels go on', async () => {
  const server = await startChannelServer();
  onTestFinished(() => server.stop());
  let count = 0;
  const told = await startTold((request, response) => {
    if (request.path !== '/slow') return void response.end();
    count += 1;
    if (count > 1) return void response.end();
    setTimeout(() => response.end(), 40_000);
  });
  const { addDevice, addChannel, addFireRule, sayFire, settled } = await createChannelScene(server);
  const device = await addDevice();
  const [slow, quick] = [
    await addChannel(`http://127.0.0.1:${told.port}/slow`),
    await addChannel(`http://127.0.0.1:${told.port}/quick`),
  ];
  for (const channel of [slow, quick]) await addFireRule(channel);
  await sayFire(device, 2);
  await expect.poll(() => count).toBe(1);
  await settled(quick);
  expect(count).toBe(1);
  expect(await settled(slow)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  const ids = told.requests.filter(({ path }) => path === '/slow').map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});
