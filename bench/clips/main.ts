// The cost of clips as their number grows: each query at 10 thousand and at 1 million clips (BENCH_LARGE=1: also at 10
// million), with results of the same size; announcing compared with a plain insert; lists over HTTP compared with a
// bare handler. Slices alternate, so that load on the machine affects all equally.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { compareCreateList } from './createlist.ts';
import { openServedClips, type ServedClips } from './databases.ts';
import type { Size } from './fill.ts';
import { compareGrowth, questions } from './growth.ts';
import { compareOverHttp } from './over-http.ts';

const growthGoal = 1.5;
const createGoal = 0.5;
const httpGoal = 0.6;

const sizes: Readonly<Record<string, Size>> = {
  thousands: { devices: 100, clipsPerDevice: 100 },
  million: { devices: 1_000, clipsPerDevice: 1_000 },
  ...(process.env['BENCH_LARGE'] ? { millions: { devices: 1_000, clipsPerDevice: 10_000 } } : {}),
};

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const served: ServedClips[] = [];

try {
  for (const [name, size] of Object.entries(sizes)) served.push(await openServedClips(postgres, dataDir, name, size));
  for (const question of questions) {
    const growth = await compareGrowth(served, question);
    if (!growth) continue;
    report(question.name, growth.ratio, `at most ${growthGoal}`, growth.ratio <= growthGoal, growth.figures);
  }
  const largest = served.at(-1)!;
  for (const { name, ratio, figures } of await compareOverHttp(largest)) {
    report(name, ratio, `at least ${httpGoal}`, ratio >= httpGoal, figures);
  }
  const { ratio, figures } = await compareCreateList(largest);
  report('createlist over HTTP beside a plain insert', ratio, `at least ${createGoal}`, ratio >= createGoal, figures);
} finally {
  for (const { db, server } of served) {
    await server.stop();
    await db.end({ timeout: 1 });
  }
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function report(name: string, ratio: number, goal: string, isReached: boolean, figures: string): void {
  const verdict = isReached ? 'ok' : 'MISSED';
  process.stdout.write(`bench/clips  ${name}  ratio ${ratio.toFixed(2)} (goal ${goal}, ${verdict})  ${figures}\n`);
  if (!isReached) process.exitCode = 1;
}
