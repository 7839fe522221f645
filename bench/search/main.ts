// The cost of a search as the number of captions grows: 10 thousand and 100 thousand (BENCH_LARGE=1: also 1 million, and
// 1 million of a single device), for every kind of text and order, for an admin and for members with few devices. Over
// HTTP, compared with the same statements sent by this process. A kind of search is too slow if its p95 is above the
// goal. BENCH_KEEP=folder keeps the filled databases there for the next run; `--size million` and `--kind number` measure
// only these, and `--texts 10` only so many texts of each kind.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import type { Size } from '../clips/fill.ts';
import { createCorpus } from './corpus.ts';
import { measureCrowd } from './crowd.ts';
import { openServedSearch, type ServedSearch } from './databases.ts';
import { measureSearch, timesOf } from './measure.ts';
import { createQuestions, type SearchQuestion } from './questions.ts';

const goalMs = 100;
const orders = ['desc', 'asc', 'relevance'];

const usualSizes: Readonly<Record<string, Size>> = {
  thousands: { devices: 100, clipsPerDevice: 100 },
  hundred: { devices: 1_000, clipsPerDevice: 100 },
};
const largeSizes: Readonly<Record<string, Size>> = {
  million: { devices: 1_000, clipsPerDevice: 1_000 },
  single: { devices: 1, clipsPerDevice: 1_000_000 },
};
const sizes = process.env['BENCH_LARGE'] ? { ...usualSizes, ...largeSizes } : usualSizes;

const { values: only } = parseArgs({
  options: {
    size: { type: 'string' },
    kind: { type: 'string', default: '' },
    texts: { type: 'string', default: '40' },
  },
});
const keptIn = process.env['BENCH_KEEP'];
const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'earshot-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const questions = createQuestions(createCorpus(), Number(only.texts)).filter(({ name }) => name.includes(only.kind));

try {
  for (const [name, size] of Object.entries(sizes)) {
    if (only.size !== undefined && only.size !== name) continue;
    const start = performance.now();
    const served = await openServedSearch(postgres, dataDir, name, size);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stdout.write(
      `bench/search  ${name}: ${served.captions.toLocaleString('en')} captions  opened in ${seconds} s\n`,
    );
    try {
      for (const question of questions) await measureQuestion(name, served, question);
      report(`${name}  ten people, each a search a second`, await measureCrowd(served, questions, orders));
    } finally {
      await served.server.stop();
      await served.db.end({ timeout: 1 });
    }
  }
} finally {
  await postgres.stop();
  if (keptIn === undefined) await rm(dataDir, { recursive: true, force: true });
}

/** Each asker and order, then all of them together. */
async function measureQuestion(size: string, served: ServedSearch, question: SearchQuestion): Promise<void> {
  const all: number[] = [];
  for (const asker of served.askers) {
    for (const order of orders) {
      const { http, plain } = await measureSearch(served, asker, question, order);
      report(`${size}  ${question.name}, ${asker.name}, ${order}`, http, plain);
      all.push(...http);
    }
  }
  report(`${size}  ${question.name}, all`, all);
}

function report(name: string, http: readonly number[], plain?: readonly number[]): void {
  const { p50, p95, p99 } = timesOf(http);
  const isReached = p95 <= goalMs;
  const plainly = plain ? `  plainly p50 ${timesOf(plain).p50.toFixed(1)} p95 ${timesOf(plain).p95.toFixed(1)}` : '';
  process.stdout.write(
    `bench/search  ${name}  p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} ms ` +
      `(goal ${goalMs}, ${isReached ? 'ok' : 'MISSED'})${plainly}  load ${loadavg()[0]!.toFixed(1)}\n`,
  );
  if (!isReached) process.exitCode = 1;
}
