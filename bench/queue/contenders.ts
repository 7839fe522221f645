import { isRenewedByContact } from '@earshot/server/features/event/take/lease-queries';
import { take } from '@earshot/server/features/event/take/queries';
import { complete } from '@earshot/server/features/event/transition/report-queries';
import { connect } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { getUtilsAndReleasersFromOptions } from 'graphile-worker/dist/lib.js';
import { batchCompleteJobs } from 'graphile-worker/dist/sql/completeJobs.js';
import { batchGetJobs } from 'graphile-worker/dist/sql/getJobs.js';
import { Logger } from 'graphile-worker';
import PgBoss from 'pg-boss';
import type { Fleet } from './fleet.ts';
import { contactAgent, recentAgent } from '@earshot/server/features/agent/public';
import { enqueueEvents } from '@earshot/server/features/event/public';

/** A queue, each step of which is acknowledged before it returns. `Job` is what a taker receives. */
export interface Contender<Job = unknown> {
  readonly name: string;
  enqueue(): Promise<unknown>;
  take(): Promise<Job>;
  complete(job: Job): Promise<unknown>;
  stop(): Promise<void>;
}

const payload = { delay: 5, reason: 'benchmark' };
const times = { leaseSeconds: 300, retrySeconds: 5 };

const nothingToTake = (name: string): Error => new Error(`${name} found nothing to take`);

/**
 * The statements of the routes for taking and reporting, including the contact with the agent and the check of the
 * holder.
 */
export function earshot(url: string, { taker, actor, newEvent }: Fleet, connections: number): Contender<number> {
  const db = connect(url, { connections, name: 'bench' });
  const caller: Caller = { userID: actor.userID ?? 0, role: 'admin', credential: '' };
  const contact = { deviceID: taker.deviceID, agentTypeID: taker.agentTypeID, agentIndex: 0, processID: 1 };
  return {
    name: 'earshot',
    enqueue: () => enqueueEvents(db, [{ ...newEvent, eventParameters: JSON.stringify(payload) }], actor),
    async take() {
      const renews = !isRenewedByContact(times, contact.processID);
      const heard = await take(db, { ...taker, agent: recentAgent(db, contact), renews }, times, actor);
      // As in the route: contact is recorded once a second.
      if (heard.agentID === undefined) await contactAgent(db, caller, contact);
      const { event } = heard.agentID === undefined ? await take(db, taker, times, actor) : heard;
      if (event?.key === undefined) throw nothingToTake('earshot');
      return event.key;
    },
    async complete(key) {
      const done = await complete(db, key, {}, actor, { caller, processID: 1 });
      if (done?.eventStatus !== 4) throw new Error('earshot did not complete what was taken');
    },
    stop: () => db.end({ timeout: 1 }),
  };
}

export async function pgBoss(url: string, connections: number): Promise<Contender<string>> {
  // Maintenance is disabled in all queues: a slice measures only the three steps.
  const boss = new PgBoss({ connectionString: url, max: connections, supervise: false, schedule: false });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  await boss.createQueue('bench');
  return {
    name: 'pg-boss',
    enqueue: () => boss.send('bench', payload),
    async take() {
      const [job] = await boss.fetch('bench');
      if (!job) throw nothingToTake('pg-boss');
      return job.id;
    },
    complete: (id) => boss.complete('bench', id),
    stop: () => boss.stop({ graceful: false }),
  };
}

/** Uses the functions of its worker, because there is no public function to take one job. */
export async function graphileWorker(url: string, connections: number) {
  const silent = new Logger(() => () => {});
  const options = { connectionString: url, maxPoolSize: connections, concurrency: connections, logger: silent };
  const [worker, release] = await getUtilsAndReleasersFromOptions(options);
  const tasks = { bench: () => {} };
  const takeOne = async () => {
    const [job] = await batchGetJobs(worker, worker.withPgClient, tasks, 'bench', null, 1);
    if (!job) throw nothingToTake('graphile-worker');
    return job;
  };
  const contender: Contender<Awaited<ReturnType<typeof takeOne>>> = {
    name: 'graphile-worker',
    enqueue: () => worker.addJob('bench', payload),
    take: takeOne,
    complete: (job) => batchCompleteJobs(worker, worker.withPgClient, 'bench', [job]),
    stop: async () => release(),
  };
  return contender;
}
