// The cost of clips as their number grows: each query at 10 thousand and at 1 million clips (BENCH_LARGE=1: also at 10
// million), with results of the same size; announcing compared with a plain insert; lists over HTTP compared with a
// bare handler. Slices alternate, so that load on the machine affects all equally.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { openBench } from '../open-bench.ts';
import { compareCreateList } from './createlist.ts';
import type { ServedClips } from './databases.ts';
import { openServedClips } from './databases.ts';
import type { Size } from './fill.ts';
import { compareGrowth, questions } from './growth.ts';
import { compareOverHttp } from './over-http.ts';

const databases: Readonly<Record<string, Size>> = {
  thousands: { devices: 100, clipsPerDevice: 100 },
  million: { devices: 1_000, clipsPerDevice: 1_000 },
  ...(process.env['BENCH_LARGE'] ? { millions: { devices: 1_000, clipsPerDevice: 10_000 } } : {}),
};
// With fewer clips for a device, a list of 100 would be shorter than with many.
const smallDatabases: Readonly<Record<string, Size>> = {
  fewer: { devices: 20, clipsPerDevice: 100 },
  more: { devices: 30, clipsPerDevice: 100 },
};

const bench = openBench({
  name: 'clips',
  goals: {
    'time of a query among the most clips, as a ratio to the fewest': { atMost: 1.5 },
    'lists a second, as a ratio to the bare handler': { atLeast: 0.6 },
    'rows a second of createlist, as a ratio to a plain insert': { atLeast: 0.5 },
  },
  sizes: {
    usual: { databases, rounds: 15, listRounds: 9, http: { rounds: 5, sliceSeconds: 3, warmUpSeconds: 2 } },
    small: {
      databases: smallDatabases,
      rounds: 1,
      listRounds: 1,
      http: { rounds: 1, sliceSeconds: 0.3, warmUpSeconds: 0.3 },
    },
  },
});
const { size } = bench;

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const served: ServedClips[] = [];

try {
  for (const [name, clips] of Object.entries(size.databases))
    served.push(await openServedClips(postgres, dataDir, name, clips));
  for (const question of questions) {
    const growth = await compareGrowth(served, question, size.rounds);
    if (!growth) continue;
    const { ratio, figures: details } = growth;
    const of = question.name;
    bench.judge('time of a query among the most clips, as a ratio to the fewest', ratio, { of, details });
  }
  const largest = served.at(-1)!;
  for (const { name: of, ratio, figures: details } of await compareOverHttp(largest, size.http)) {
    bench.judge('lists a second, as a ratio to the bare handler', ratio, { of, details });
  }
  const { ratio, figures: details } = await compareCreateList(largest, size.listRounds);
  bench.judge('rows a second of createlist, as a ratio to a plain insert', ratio, { details });
} finally {
  for (const { db, server } of served) {
    await server.stop();
    await db.end({ timeout: 1 });
  }
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();
