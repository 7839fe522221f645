import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { startObjectStore } from '@earshot/server/platform/storage/tests/object-store';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { DatabasePair } from '../chaos/database-pair.ts';
import { startDatabasePair } from '../chaos/database-pair.ts';
import { startStoreProxy } from '../chaos/store-proxy.ts';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startServer } from '../process/server-process.ts';
import type { SteadyWrites } from './steady-writes.ts';
import { describeTimes, startSteadyWrites } from './steady-writes.ts';

/*
 * How long a node needs after a loss: from the moment at which the other side accepts writes to the first good write of a
 * client. Set LOSS_RUNS for fewer repetitions.
 */

const runs = Number(process.env['LOSS_RUNS'] ?? 10);
/** A statement may take 30 s, and a connection 5 s. */
const deadlineMs = 36_000;
const quietMs = 1_500;

async function startNode(pair: DatabasePair, changes: Readonly<Record<string, string>> = {}): Promise<Client> {
  const folder = await openScratch();
  const server = await startServer({
    dataDir: join(folder, 'data'),
    settings: {
      ...adminSettings,
      EARSHOT_DATABASE_URL: pair.url,
      EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
      EARSHOT_STORAGE_URL: `file://${join(folder, 'files')}`,
      EARSHOT_RATE_LIMIT: '0',
      ...changes,
    },
  });
  const { credential } = await (await signInAdmin(server.url)).withKey();
  return createClient({ url: server.url, credential });
}

function report(what: string, writes: SteadyWrites, times: readonly number[]): void {
  const longest = `longest request ${(writes.longestMs() / 1_000).toFixed(1)} s`;
  process.stdout.write(`${what}, ${runs} times: ${describeTimes(times)}; ${longest}\n`);
  expect(writes.wrongAnswers).toEqual([]);
  expect(writes.longestMs()).toBeLessThan(deadlineMs);
}

const databaseLosses: readonly [string, (pair: DatabasePair) => Promise<void>][] = [
  [
    'silent loss of the database host, and promotion',
    async (pair) => {
      pair.network().set('silent');
      await sleep(quietMs);
      await pair.failOver();
    },
  ],
  [
    'a frozen PostgreSQL, and promotion',
    async (pair) => {
      await pair.freeze();
      await sleep(quietMs);
      pair.network().set('silent');
      await pair.failOver();
    },
  ],
  ['switchover', (pair) => pair.switchOver()],
];

test.each(databaseLosses)(
  '%s: no write is lost, no request waits beyond its deadline',
  needs('postgresql'),
  async (what, lose) => {
    const pair = await startDatabasePair('earshot');
    const client = await startNode(pair);
    const writes = startSteadyWrites((name) => client.createDevice({ body: { deviceSerial: name } }));
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await writes.firstGoodAfter(performance.now());
      const network = pair.network();
      await lose(pair);
      times.push(await writes.firstGoodAfter(performance.now()));
      await pair.restoreStandby();
      network.set('open');
    }
    await writes.stop();
    report(what, writes, times);
    const db = connect(pair.directUrl(), { connections: 1, name: 'losses' });
    onTestFinished(() => db.end({ timeout: 1 }));
    const rows = await db<{ name: string }[]>`select device_serial as name from devices`;
    const stored = new Set(rows.map(({ name }) => name));
    expect([...writes.acknowledged].filter((name) => !stored.has(name))).toEqual([]);
  },
);

test(
  'silent loss of the store: no sound is lost, no request waits beyond its deadline',
  needs('postgresql', 'ceph'),
  async () => {
    const pair = await startDatabasePair('earshot');
    const ceph = await startObjectStore();
    onTestFinished(() => ceph.stop());
    const store = await startStoreProxy(ceph.endpoint);
    const client = await startNode(pair, {
      EARSHOT_STORAGE_URL: ceph.url.replace(ceph.endpoint, store.endpoint),
      EARSHOT_S3_ACCESS_KEY: ceph.accessKey,
      EARSHOT_S3_SECRET_KEY: ceph.secretKey,
    });
    const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: 'recorder', autoCaption: false } });
    const clips = new Map<string, number>();
    const writes = startSteadyWrites(async (name) => {
      const startTime = 1_700_000_000 + 10 * Number(name.slice(6));
      const { key: audioClipID = 0 } = await client.createAudioClip({
        body: { deviceID, startTime, clipLengthInSeconds: 1 },
      });
      clips.set(name, audioClipID);
      await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(0.1) });
    });
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await writes.firstGoodAfter(performance.now());
      store.set('silent');
      await sleep(6_000);
      store.set('open');
      times.push(await writes.firstGoodAfter(performance.now()));
    }
    await writes.stop();
    report('silent loss of the store', writes, times);
    for (const name of writes.acknowledged) {
      const response = await client.getAudioClipContent({ params: { audioClipID: clips.get(name) ?? 0 } });
      expect((await response.arrayBuffer()).byteLength).toBe(tinyWav(0.1).length);
    }
  },
);
