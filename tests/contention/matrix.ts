import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@earshot/server/platform/database/connect';
import { startTestServer } from '@earshot/server/testing/server';
import { realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { basic } from '../access/ask.ts';
import { brokenInvariants } from './invariants.ts';
import { makeRecords } from './records.ts';
import type { Deed, Scene, Writer } from './writers.ts';

const connections = 12;
const testConnections = 5;

export type Pair = readonly [Writer, Writer];

export function pairsOf(writers: readonly Writer[]): readonly Pair[] {
  return writers.flatMap((first, at) => writers.slice(at).map((second) => [first, second] as const));
}

export interface MatrixReport {
  readonly pairs: number;
  readonly requests: number;
  /** The number of responses by status. */
  readonly answers: Readonly<Record<number, number>>;
  readonly faults: readonly string[];
  /** Counted by PostgreSQL, including those that a retry has hidden. */
  readonly deadlocks: number;
}

/** Two nodes on one database. */
async function onScene<Result>(work: (scene: Scene, adminID: number) => Promise<Result>): Promise<Result> {
  const server = await startTestServer(
    { databaseConnections: connections, fileSweepSeconds: 1, captions: realEngine },
    { engines: createTestEars() },
  );
  const db = connect(server.databaseUrl, { connections: testConnections, name: 'contention' });
  try {
    const other = await server.addNode();
    const { credential } = await server.admin.withKey();
    const scene: Scene = {
      urls: [server.url, other.url],
      db,
      adminKey: basic(credential.accessKey, credential.secretKey),
      adminSession: { cookie: server.admin.cookie },
    };
    return await work(scene, server.admin.userID);
  } finally {
    await db.end({ timeout: 1 });
    await server.stop();
  }
}

export interface MatrixOptions {
  /** Callers of each operation of a pair, concurrently on the same records. */
  readonly callersOfEach: number;
}

/** Runs each pair on its own records, and returns the faults. */
export function runMatrix(pairs: readonly Pair[], { callersOfEach }: MatrixOptions): Promise<MatrixReport> {
  return onScene(async (scene, adminID) => {
    const faults: string[] = [];
    const answers: Record<number, number> = {};
    for (const pair of pairs) {
      const { deeds, broken } = await runPair(scene, adminID, pair, callersOfEach);
      const name = pair.map((writer) => writer.name).join(' beside ');
      for (const { status } of deeds) answers[status] = (answers[status] ?? 0) + 1;
      const failed = new Set(deeds.filter(({ status }) => status >= 500).map((deed) => `${deed.writer}: ${deed.text}`));
      faults.push(...[...failed, ...broken].map((fault) => `${name}: ${fault}`));
    }
    const requests = Object.values(answers).reduce((sum, count) => sum + count, 0);
    return { pairs: pairs.length, requests, answers, faults, deadlocks: await countDeadlocks(scene) };
  });
}

/** The operations that are refused even without concurrency. */
export function refusedAlone(writers: readonly Writer[]): Promise<readonly string[]> {
  return onScene(async (scene, adminID) => {
    const refused: string[] = [];
    for (const writer of writers) {
      const { status, text } = await writer.act(scene, await makeRecords(scene.db, adminID), 0);
      if (status >= 300) refused.push(`${writer.name}: ${status} ${text}`);
    }
    return refused;
  });
}

async function runPair(scene: Scene, adminID: number, [first, second]: Pair, callersOfEach: number) {
  const records = await makeRecords(scene.db, adminID);
  const callers = Array.from({ length: 2 * callersOfEach }, (_, at) => at);
  const deeds: Deed[] = await Promise.all(
    callers.map((at) => (at % 2 ? second : first).act(scene, records, Math.floor(at / 2))),
  );
  return { deeds, broken: await brokenInvariants(scene.db, records, deeds) };
}

/** Idle backends report their counts, at most once a second. */
async function countDeadlocks({ db }: Scene): Promise<number> {
  await sleep(2_000);
  const [row] = await db<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row?.deadlocks ?? 0;
}

export function describeReport({ pairs, requests, answers, deadlocks, faults }: MatrixReport): string {
  const statuses = Object.entries(answers).map(([status, count]) => `${count} of ${status}`);
  return `${pairs} pairs, ${requests} requests: ${statuses.join(', ')}; ${deadlocks} deadlocks, ${faults.length} faults`;
}
