// Enqueue, take and complete, one at a time, below HTTP, as a ratio to two well-known queues on the same PostgreSQL;
// and what a take costs when the table is full of ended events. Slices alternate, so that a noisy neighbour hits all
// alike. BENCH_LARGE=1 fills the table with ten million events instead of one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { median } from '../http/load.ts';
import type { Contender } from './contenders.ts';
import { earshot, graphileWorker, pgBoss } from './contenders.ts';
import { createDatabase } from './databases.ts';
import { compareTakes, fill } from './ended-events.ts';
import { createFleet } from './fleet.ts';

const rounds = 60;
const cyclesPerSlice = 40;
const speedGoal = 1;
const takeGoal = 1.3;
const fewEvents = 10_000;
const manyEvents = process.env['BENCH_LARGE'] ? 10_000_000 : 1_000_000;

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const opened: Pool[] = [];

try {
  const { url, fleet } = await open('speed');
  const ours = earshot(url, fleet);
  await compareSpeed(ours, [await pgBoss(url), await graphileWorker(url)]);
  await ours.stop();
  const few = { ...(await open('few')), endedEvents: fewEvents };
  const many = { ...(await open('many')), endedEvents: manyEvents };
  await fill(few);
  await fill(many);
  const { ratio, figures } = await compareTakes(few, many);
  report('a take', ratio, `at most ${takeGoal}`, ratio <= takeGoal, figures);
} finally {
  for (const db of opened) await db.end({ timeout: 1 });
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function open(name: string) {
  const { url, db } = await createDatabase(postgres, dataDir, name);
  opened.push(db);
  return { url, db, fleet: await createFleet(db) };
}

async function compareSpeed(own: Contender, others: readonly Contender[]): Promise<void> {
  const contenders = [own, ...others];
  const speeds = new Map(contenders.map((contender) => [contender, [] as number[]]));
  for (const contender of contenders) await measure(contender);
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) speeds.get(contender)?.push(await measure(contender));
  }
  const speedsOf = (contender: Contender) => speeds.get(contender) ?? [];
  for (const other of others) {
    const ratio = median(speedsOf(own).map((speed, round) => speed / (speedsOf(other)[round] ?? 0)));
    const figures = `${median(speedsOf(own)).toFixed(0)}/s beside ${median(speedsOf(other)).toFixed(0)}/s`;
    report(`enqueue, take, complete beside ${other.name}`, ratio, `over ${speedGoal}`, ratio > speedGoal, figures);
    await other.stop();
  }
}

/** Cycles a second. */
async function measure(contender: Contender): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < cyclesPerSlice; count++) await contender.cycle();
  return (cyclesPerSlice * 1000) / (performance.now() - start);
}

function report(name: string, ratio: number, goal: string, isReached: boolean, figures: string): void {
  const verdict = isReached ? 'ok' : 'MISSED';
  process.stdout.write(`bench/queue  ${name}  ratio ${ratio.toFixed(2)} (goal ${goal}, ${verdict})  ${figures}\n`);
  if (!isReached) process.exitCode = 1;
}
