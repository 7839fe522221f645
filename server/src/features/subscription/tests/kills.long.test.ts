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
import { startTold } from '../../channel/tests/scene.ts';
import { changesIn, createSubscriptionScene } from './scene.ts';

const names = 200;
const leastKills = 6;

test('while nodes that follow and send are killed, each change is told once, in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-subscription-kills-'));
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
  const told = await startTold((_request, response) => void setTimeout(() => response.end(), 200 * Math.random()));
  const { addDevice, subscribe, disclose, rename, received } = await createSubscriptionScene(server, told);
  const [one, other] = [await addDevice(), await addDevice()];
  await disclose(one);
  await subscribe(['device.changed']);
  const devices = Array.from({ length: names }, (_, at) => (at % 3 === 0 ? other : one));
  const renaming = (async () => {
    for (const [at, device] of devices.entries()) {
      await rename(device, `Gate ${at}`);
      await sleep(50 * Math.random());
    }
  })();
  for (let kills = 0; kills < leastKills; kills += 1) {
    // Whoever follows now is as likely to be the one that is killed.
    await server.db`update subscription_lease set holder = null, held_until = null`;
    await sleep(200 + Math.random() * 800);
    await nodes.shift()?.killNow();
    nodes.push(await start());
  }
  await renaming;
  await expect
    .poll(() => changesIn(received()).length, { timeout: 180_000, interval: 500 })
    .toBeGreaterThanOrEqual(names);
  const waiting = () => server.db`select 1 from deliveries where state = 'waiting'`;
  await expect.poll(async () => (await waiting()).length, { timeout: 180_000, interval: 500 }).toBe(0);
  expect(changesIn(received())).toEqual(devices.map((device) => `device.changed ${device}`));
});
