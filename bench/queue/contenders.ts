import { complete, enqueue, take } from '@earshot/server/features/event/transitions';
import { connect, type Db } from '@earshot/server/platform/database/connect';
import { getUtilsAndReleasersFromOptions } from 'graphile-worker/dist/lib.js';
import { batchCompleteJobs } from 'graphile-worker/dist/sql/completeJobs.js';
import { batchGetJobs } from 'graphile-worker/dist/sql/getJobs.js';
import { Logger } from 'graphile-worker';
import PgBoss from 'pg-boss';
import type { Fleet } from './fleet.ts';

export interface Contender {
  readonly name: string;
  /** One piece of work from its enqueueing to its end, each step acknowledged before the next begins. */
  cycle(): Promise<void>;
  stop(): Promise<void>;
}

const payload = { delay: 5, reason: 'benchmark' };
const times = { leaseSeconds: 300, retrySeconds: 5 };

export function earshot(url: string, fleet: Fleet): Contender {
  const db = connect(url, { connections: 1, name: 'bench' });
  return {
    name: 'earshot',
    cycle: () => liveOnce(db, fleet),
    stop: () => db.end({ timeout: 1 }),
  };
}

async function liveOnce(db: Db, { taker, actor, newEvent }: Fleet): Promise<void> {
  const [event] = await enqueue(db, [{ ...newEvent, eventParameters: JSON.stringify(payload) }], actor);
  const taken = await take(db, taker, times, actor);
  const done = await complete(db, taken?.key ?? 0, {}, actor);
  if (event?.key !== done?.key || done?.eventStatus !== 4)
    throw new Error('earshot did not complete what it was given');
}

export async function pgBoss(url: string): Promise<Contender> {
  // Its own upkeep is left out, as ours is: a slice measures the three steps alone.
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  await boss.createQueue('bench');
  return {
    name: 'pg-boss',
    async cycle() {
      const id = await boss.send('bench', payload);
      const [job] = await boss.fetch('bench');
      if (!job || job.id !== id) throw new Error('pg-boss did not fetch what it was sent');
      await boss.complete('bench', job.id);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** By the very functions its worker calls; it offers no public way to take one job. */
export async function graphileWorker(url: string): Promise<Contender> {
  const silent = new Logger(() => () => {});
  const options = { connectionString: url, maxPoolSize: 1, concurrency: 1, logger: silent };
  const [worker, release] = await getUtilsAndReleasersFromOptions(options);
  const tasks = { bench: () => {} };
  return {
    name: 'graphile-worker',
    async cycle() {
      const added = await worker.addJob('bench', payload);
      const [job] = await batchGetJobs(worker, worker.withPgClient, tasks, 'bench', null, 1);
      if (!job || job.id !== added.id) throw new Error('graphile-worker did not get what it was given');
      await batchCompleteJobs(worker, worker.withPgClient, 'bench', [job]);
    },
    stop: async () => release(),
  };
}
