// The cost of a search as the number of captions grows: 10 thousand and 100 thousand (BENCH_LARGE=1: also 1 million),
// for every kind of text and order, for an admin and for a member with three devices. Over HTTP, compared with the same
// statements sent by this process. A kind of search is too slow if its p95 is above the goal. BENCH_KEEP=folder keeps the
// filled databases there for the next run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import type { Size } from '../clips/fill.ts';
import { createCorpus } from './corpus.ts';
import { openServedSearch, type ServedSearch } from './databases.ts';
import { measureSearch } from './measure.ts';
import { createQuestions } from './questions.ts';

const goalMs = 100;
const orders = ['desc', 'asc', 'relevance'];

const sizes: Readonly<Record<string, Size>> = {
  thousands: { devices: 100, clipsPerDevice: 100 },
  hundred: { devices: 1_000, clipsPerDevice: 100 },
  ...(process.env['BENCH_LARGE'] ? { million: { devices: 1_000, clipsPerDevice: 1_000 } } : {}),
};

const keptIn = process.env['BENCH_KEEP'];
const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'earshot-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const questions = createQuestions(createCorpus());

try {
  for (const [name, size] of Object.entries(sizes)) {
    const start = performance.now();
    const served = await openServedSearch(postgres, dataDir, name, size);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stdout.write(`bench/search  ${served.captions.toLocaleString('en')} captions  filled in ${seconds} s\n`);
    try {
      await measureAll(served);
    } finally {
      await served.server.stop();
      await served.db.end({ timeout: 1 });
    }
  }
} finally {
  await postgres.stop();
  if (keptIn === undefined) await rm(dataDir, { recursive: true, force: true });
}

async function measureAll(served: ServedSearch): Promise<void> {
  for (const question of questions) {
    for (const asker of served.askers) {
      for (const order of orders) {
        const { http, plain } = await measureSearch(served, asker, question, order);
        const isReached = http.p95 <= goalMs;
        process.stdout.write(
          `bench/search  ${served.captions.toLocaleString('en')}  ${question.name}, ${asker.name}, ${order}  ` +
            `p50 ${http.p50.toFixed(1)} p95 ${http.p95.toFixed(1)} ms (goal ${goalMs}, ${isReached ? 'ok' : 'MISSED'})  ` +
            `plainly p50 ${plain.p50.toFixed(1)} p95 ${plain.p95.toFixed(1)}\n`,
        );
        if (!isReached) process.exitCode = 1;
      }
    }
  }
}
