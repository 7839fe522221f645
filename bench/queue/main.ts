// Enqueue, take and complete, without HTTP, as a ratio to two well-known queues on the same PostgreSQL: one at a time,
// and with eight takers of one agent that each hold several events; and the cost of a take with many ended events.
// Slices alternate, so that load on the machine affects all equally. BENCH_LARGE=1 fills the table with ten million
// events instead of one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { median } from '../http/load.ts';
import { openBench } from '../open-bench.ts';
import type { Contender } from './contenders.ts';
import { earshot, graphileWorker, pgBoss } from './contenders.ts';
import { createDatabase } from './databases.ts';
import { compareTakes, fill } from './ended-events.ts';
import { createFleet } from './fleet.ts';

/** A number of jobs that every load can divide evenly. */
const cyclesPerSlice = 64;
interface Load {
  readonly name: string;
  readonly takers: number;
  /** How many events each taker holds before it completes them. */
  readonly held: number;
}
const loads: readonly Load[] = [
  { name: 'enqueue, take, complete', takers: 1, held: 1 },
  { name: 'eight takers of one agent that hold four each', takers: 8, held: 4 },
];

const bench = openBench({
  name: 'queue',
  goals: {
    'speed as a ratio to another queue': { atLeast: 1 },
    'a take among many ended events, as a ratio to few': { atMost: 1.3 },
  },
  sizes: {
    usual: {
      rounds: 60,
      takeRounds: 25,
      fewEvents: 10_000,
      manyEvents: process.env['BENCH_LARGE'] ? 10_000_000 : 1_000_000,
    },
    small: { rounds: 2, takeRounds: 2, fewEvents: 100, manyEvents: 1_000 },
  },
});
const { rounds, takeRounds, fewEvents, manyEvents } = bench.size;
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const opened: Pool[] = [];

try {
  const { url, fleet } = await open('speed');
  for (const load of loads) {
    const { takers } = load;
    const contenders = [earshot(url, fleet, takers), await pgBoss(url, takers), await graphileWorker(url, takers)];
    await compareSpeed(load, contenders as [Contender, ...Contender[]]);
    for (const contender of contenders) await contender.stop();
  }
  const few = { ...(await open('few')), endedEvents: fewEvents };
  const many = { ...(await open('many')), endedEvents: manyEvents };
  await fill(few);
  await fill(many);
  const { ratio, figures: details } = await compareTakes(few, many, takeRounds);
  bench.judge('a take among many ended events, as a ratio to few', ratio, { details });
} finally {
  for (const db of opened) await db.end({ timeout: 1 });
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();

async function open(name: string) {
  const { url, db } = await createDatabase(postgres, dataDir, name);
  opened.push(db);
  return { url, db, fleet: await createFleet(db) };
}

async function compareSpeed(load: Load, contenders: readonly [Contender, ...Contender[]]): Promise<void> {
  const [own, ...others] = contenders;
  const speeds = new Map(contenders.map((contender) => [contender, [] as number[]]));
  for (const contender of contenders) await measure(contender, load);
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) speeds.get(contender)?.push(await measure(contender, load));
  }
  const speedsOf = (contender: Contender) => speeds.get(contender) ?? [];
  for (const other of others) {
    const ratio = median(speedsOf(own).map((speed, round) => speed / (speedsOf(other)[round] ?? 0)));
    const details = `${median(speedsOf(own)).toFixed(0)}/s beside ${median(speedsOf(other)).toFixed(0)}/s`;
    bench.judge('speed as a ratio to another queue', ratio, { of: `${load.name}, ${other.name}`, details });
  }
}

/** Jobs per second, each enqueued, taken and completed. */
async function measure(contender: Contender, { takers, held }: Load): Promise<number> {
  const turns = cyclesPerSlice / (takers * held);
  const start = performance.now();
  await Promise.all(Array.from({ length: takers }, () => work(contender, held, turns)));
  return (cyclesPerSlice * 1000) / (performance.now() - start);
}

/** One taker: takes events until it holds `held`, then completes them. */
async function work(contender: Contender, held: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const jobs: unknown[] = [];
    for (let count = 0; count < held; count++) await contender.enqueue();
    for (let count = 0; count < held; count++) jobs.push(await contender.take());
    for (const job of jobs) await contender.complete(job);
  }
}
