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
import { openBench, smallOption } from '../open-bench.ts';
import { createCorpus } from './corpus.ts';
import { measureCrowd } from './crowd.ts';
import type { ServedSearch } from './databases.ts';
import { openServedSearch } from './databases.ts';
import { measureSearch, timesOf } from './measure.ts';
import type { SearchQuestion } from './questions.ts';
import { createQuestions } from './questions.ts';

const orders = ['desc', 'asc', 'relevance'];

const usualSizes: Readonly<Record<string, Size>> = {
  thousands: { devices: 100, clipsPerDevice: 100 },
  hundred: { devices: 1_000, clipsPerDevice: 100 },
};
const largeSizes: Readonly<Record<string, Size>> = {
  million: { devices: 1_000, clipsPerDevice: 1_000 },
  single: { devices: 1, clipsPerDevice: 1_000_000 },
};

const bench = openBench({
  name: 'search',
  goals: { 'p95 of a search': { atMost: 100, unit: 'ms' } },
  sizes: {
    usual: {
      databases: process.env['BENCH_LARGE'] ? { ...usualSizes, ...largeSizes } : usualSizes,
      texts: 40,
      crowd: { people: 10, searchesEach: 40 },
    },
    small: {
      databases: { few: { devices: 3, clipsPerDevice: 30 } },
      texts: 1,
      crowd: { people: 10, searchesEach: 1 },
    },
  },
});

const { values: only } = parseArgs({
  options: {
    ...smallOption,
    size: { type: 'string' },
    kind: { type: 'string', default: '' },
    texts: { type: 'string', default: String(bench.size.texts) },
  },
});
const keptIn = process.env['BENCH_KEEP'];
const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'earshot-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const questions = createQuestions(createCorpus(), Number(only.texts)).filter(({ name }) => name.includes(only.kind));

try {
  for (const [name, size] of Object.entries(bench.size.databases)) {
    if (only.size !== undefined && only.size !== name) continue;
    const start = performance.now();
    const served = await openServedSearch(postgres, dataDir, name, size);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    bench.say(`${name}: ${served.captions.toLocaleString('en')} captions  opened in ${seconds} s`);
    try {
      for (const question of questions) await measureQuestion(name, served, question);
      const crowd = await measureCrowd(served, questions, orders, bench.size.crowd);
      judge(`${name}, ten people, each a search a second`, crowd);
    } finally {
      await served.server.stop();
      await served.db.end({ timeout: 1 });
    }
  }
} finally {
  await postgres.stop();
  if (keptIn === undefined) await rm(dataDir, { recursive: true, force: true });
}
bench.end();

/** Each asker and order, then all of them together. */
async function measureQuestion(size: string, served: ServedSearch, question: SearchQuestion): Promise<void> {
  const all: number[] = [];
  for (const asker of served.askers) {
    for (const order of orders) {
      const { http, plain } = await measureSearch(served, asker, question, order);
      bench.say(`${size}, ${question.name}, ${asker.name}, ${order}  ${describe(http)}  plainly ${describe(plain)}`);
      all.push(...http);
    }
  }
  judge(`${size}, ${question.name}`, all);
}

function judge(of: string, times: readonly number[]): void {
  bench.judge('p95 of a search', timesOf(times).p95, { of, details: describe(times) });
}

function describe(times: readonly number[]): string {
  const { p50, p95, p99 } = timesOf(times);
  return `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} ms  load ${loadavg()[0]!.toFixed(1)}`;
}
