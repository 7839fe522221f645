import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startServer } from '../process/server-process.ts';
import type { PatroniCluster } from './patroni-cluster.ts';
import { startPatroniCluster } from './patroni-cluster.ts';
import type { SteadyWrites } from './steady-writes.ts';
import { describeTimes, startSteadyWrites } from './steady-writes.ts';

/*
 * docs/high-availability.md with real parts: a node that reaches the primary by HAProxy and one that knows all addresses, while
 * the leader changes, dies and hangs. Set PATRONI_RUNS for more repetitions.
 */

const runs = Number(process.env['PATRONI_RUNS'] ?? 2);
const ways = ['HAProxy', 'several hosts'] as const;
const needed = needs('postgresql', 'patroni');

/** When another member than this one accepts writes. */
async function untilAnotherLeads(cluster: PatroniCluster, former: string): Promise<number> {
  const db = connect(cluster.urlOf(cluster.other(former)), { connections: 1, name: 'probe' });
  try {
    for (const deadline = Date.now() + 120_000; ; await sleep(50)) {
      const [row] = await db<{ isStandby: boolean }[]>`select pg_is_in_recovery() as "isStandby"`.catch(() => []);
      if (row?.isStandby === false) return performance.now();
      if (Date.now() > deadline) throw new Error('no other member leads');
    }
  } finally {
    await db.end({ timeout: 1 });
  }
}

const losses: readonly [string, (cluster: PatroniCluster, leader: string) => Promise<void>, string][] = [
  ['switchover', (cluster) => cluster.switchOver(), 'nothing'],
  ['the leader dies with its Patroni', (cluster, leader) => cluster.signal(leader, 'SIGKILL'), 'restart'],
  ['the leader hangs with its Patroni', (cluster, leader) => cluster.signal(leader, 'SIGSTOP'), 'continue'],
];

test(
  'leaders change, die and hang: nothing acknowledged is lost, both ways to the primary come back',
  needed,
  async () => {
    const cluster = await startPatroniCluster();
    const folder = await openScratch();
    const secret = randomBytes(32).toString('base64');
    const writes: SteadyWrites[] = [];
    for (const [at, url] of [cluster.proxyUrl, cluster.severalUrl].entries()) {
      const server = await startServer({
        dataDir: join(folder, `node-${at}`),
        settings: {
          ...adminSettings,
          EARSHOT_DATABASE_URL: url,
          EARSHOT_SECRET_KEY: secret,
          EARSHOT_STORAGE_URL: `file://${join(folder, 'files')}`,
          EARSHOT_RATE_LIMIT: '0',
        },
      });
      const { credential } = await (await signInAdmin(server.url)).withKey();
      const client = createClient({ url: server.url, credential });
      writes.push(startSteadyWrites((name) => client.createDevice({ body: { deviceSerial: `${at}-${name}` } })));
    }
    for (const [what, lose, afterwards] of losses) {
      const own: number[] = [];
      const times: [number[], number[]] = [[], []];
      for (let run = 0; run < runs; run += 1) {
        await Promise.all(writes.map((each) => each.firstGoodAfter(performance.now())));
        const leader = await cluster.leader();
        const startedMs = performance.now();
        const losing = lose(cluster, leader);
        const promotedMs = await untilAnotherLeads(cluster, leader);
        await losing;
        own.push(promotedMs - startedMs);
        const found = await Promise.all(writes.map((each) => each.firstGoodAfter(promotedMs)));
        for (const [at, ms] of found.entries()) times[at]?.push(ms);
        if (afterwards === 'restart') await cluster.restart(leader);
        if (afterwards === 'continue') await cluster.signal(leader, 'SIGCONT');
        await cluster.untilInSync();
        expect(await cluster.leader()).not.toBe(leader);
      }
      const ours = ways.map((way, at) => `${way} ${describeTimes(times[at] ?? [])}`).join('; ');
      process.stdout.write(`${what}, ${runs} times: Patroni ${describeTimes(own)}; then ours by ${ours}\n`);
    }
    for (const each of writes) await each.stop();
    const db = connect(cluster.urlOf(await cluster.leader()), { connections: 1, name: 'probe' });
    onTestFinished(() => db.end({ timeout: 1 }));
    const rows = await db<{ name: string }[]>`select device_serial as name from devices`;
    const stored = new Set(rows.map(({ name }) => name));
    for (const [at, { acknowledged, wrongAnswers }] of writes.entries()) {
      expect(wrongAnswers).toEqual([]);
      expect([...acknowledged].filter((name) => !stored.has(`${at}-${name}`))).toEqual([]);
    }
  },
);
