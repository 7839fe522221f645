import { builtInEventTypes } from '@earshot/contract/event-type';
import type { NewEvent } from '@earshot/server/features/event/enqueue/new-events';
import { createWakeups } from '@earshot/server/features/event/wait/wakeups';
import type { Worker } from '@earshot/server/features/event/work/worker';
import { startWorker } from '@earshot/server/features/event/work/worker';
import { createCluster } from '@earshot/server/platform/cluster';
import { connect } from '@earshot/server/platform/database/connect';
import type { Job, JobHandler, JobKind } from '@earshot/server/platform/events/jobs';
import { createJobRegistry } from '@earshot/server/platform/events/jobs';
import type { Log } from '@earshot/server/platform/log';
import type { TestServer } from '@earshot/server/testing/server';
import { enqueueEvents } from '@earshot/server/features/event/public';

const joining = 'Concatenate_audio_clips';
export const times = { leaseSeconds: 3, retrySeconds: 1 };

/** A worker with its own connections, like a separate node; `undo` receives the function that stops it. */
export async function startTestWorker(
  server: TestServer,
  log: Log,
  undo: (() => Promise<unknown>)[],
  kind: Omit<JobKind, 'eventType'>,
  database = server.databaseUrl,
): Promise<Worker> {
  const db = connect(database, { connections: 3, name: 'earshot worker test' });
  const cluster = createCluster(() => connect(database, { connections: 1, name: 'earshot worker test' }), log, 35);
  await cluster.start();
  const registry = createJobRegistry([joining]);
  registry.add({ eventType: joining, ...kind });
  const wakeups = createWakeups(db, cluster, log);
  const worker = await startWorker({ db, cluster, log, times, wakeups, kinds: registry.complete() });
  undo.push(
    () => db.end({ timeout: 1 }),
    () => cluster.stop(),
    () => worker.stop(),
  );
  return worker;
}

export async function enqueueJoins(
  server: TestServer,
  count: number,
  more: Partial<NewEvent> & Pick<NewEvent, 'deviceID'>,
): Promise<number[]> {
  const eventTypeID = builtInEventTypes.findIndex(({ name }) => name === joining) + 1;
  const content = {
    eventParameters: '{"clips":[1,2]}',
    priority: 0,
    expirationEpoch: 0,
    maxAttempts: 1,
    tagString: null,
    tagNumber: null,
  };
  const event = { eventTypeID, agentTypeID: 4, serverEvent: 1 as const, ...content, ...more };
  const events = await enqueueEvents(
    server.db,
    Array.from({ length: count }, () => event),
    {},
  );
  return events.map(({ key }) => key);
}

/** A handler that waits until the test ends it or its signal aborts, and the jobs that it got. */
export function patientHandler() {
  const jobs: Job[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle: JobHandler = async (job) => {
    jobs.push(job);
    await new Promise<void>((resolve, reject) => {
      job.signal.addEventListener('abort', () => reject(job.signal.reason as Error));
      void released.then(resolve);
    });
    return 'done';
  };
  return { jobs, handle, release: () => release() };
}
