import type { NewEvent } from '@earshot/server/features/event/enqueue/new-events';
import { cancel } from '@earshot/server/features/event/transition/queries';
import type { Worker } from '@earshot/server/features/event/work/worker';
import type { Job, JobHandler } from '@earshot/server/platform/events/jobs';
import { FinalJobFailure, JobFailure, JobPostponed } from '@earshot/server/platform/events/jobs';
import { recordingLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { enqueueJoins, patientHandler, startTestWorker, times } from './workers.ts';

const log = recordingLog();
let server: TestServer;
let deviceID: number;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // This server runs no jobs, so that the workers of the tests get all events.
  server = await startTestServer({ eventTimes: times, role: 'server' });
  deviceID = (await server.admin.session.createDevice({ body: { deviceSerial: 'recorder-1' } })).key ?? 0;
});
afterAll(() => server.stop());
beforeEach(() => {
  log.lines.length = 0;
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  await server.db`delete from events`;
});

const addWorker = (handle: JobHandler, concurrency = 1, isReady = () => true): Promise<Worker> =>
  startTestWorker(server, log, undo, { handle, concurrency, isReady });
const enqueueJobs = (count: number, more: Partial<NewEvent> = {}) => enqueueJoins(server, count, { deviceID, ...more });
const getEvent = (eventID: number) => server.admin.session.getEvent({ params: { eventID } });
const causesOf = async (eventID: number) =>
  (await server.admin.session.listEventHistory({ params: { eventID } })).map(({ cause }) => cause);
const eventually = <Value>(check: () => Value | Promise<Value>) => vi.waitFor(check, { interval: 50 });
const becomes = (eventID: number, expected: object) =>
  eventually(async () => expect(await getEvent(eventID)).toMatchObject(expected));

test('a job gets the event and its parameters, reports progress, and its result completes the event', async () => {
  const jobs: Job[] = [];
  const seen: unknown[] = [];
  await addWorker(async (job) => {
    jobs.push(job);
    await job.progress(40);
    seen.push(await getEvent(job.event.key ?? 0));
    await job.progress(500);
    return 'joined';
  });
  const [eventID = 0] = await enqueueJobs(1);
  await becomes(eventID, { eventStatus: 4, result: 'joined', percentComplete: 100, attemptNumber: 1, serverEvent: 1 });
  expect(jobs).toMatchObject([{ event: { key: eventID, eventStatus: 2 }, parameters: { clips: [1, 2] } }]);
  expect(seen).toMatchObject([{ eventStatus: 3, percentComplete: 40 }]);
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'reported', 'completed']);
});

test('an agent of the device never gets the event', async () => {
  const [eventID = 0] = await enqueueJobs(1);
  const { session } = server.admin;
  expect(
    await session.dequeueEvent({ body: { deviceSerial: 'recorder-1', agentType: 'Transcoding' } }),
  ).toBeUndefined();
  expect(await session.listPendingEvents({ body: { deviceSerial: 'recorder-1' } })).toEqual([]);
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 1 });
});

test('no other caller can report on the event', async () => {
  const { jobs, handle, release } = patientHandler();
  await addWorker(handle);
  const [eventID = 0] = await enqueueJobs(1);
  await eventually(() => expect(jobs).toHaveLength(1));
  const { session } = server.admin;
  for (const body of [
    { eventStatus: 4, result: 'mine' },
    { processID: process.pid, eventStatus: 5 },
    { percentComplete: 9 },
  ]) {
    await expect(session.reportEvent({ params: { eventID }, body })).rejects.toMatchObject({ status: 409 });
  }
  release();
  await becomes(eventID, { eventStatus: 4, result: 'done' });
});

test('a failure is retried while attempts are left; only the message of a JobFailure becomes the result', async () => {
  let attempt = 0;
  await addWorker(async () => {
    attempt += 1;
    throw attempt === 1 ? new JobFailure('clip 2 is empty') : new Error('open /var/secret: no such file');
  });
  const [eventID = 0] = await enqueueJobs(1, { maxAttempts: 2 });
  await becomes(eventID, { eventStatus: 1, attemptNumber: 1, result: 'clip 2 is empty' });
  await becomes(eventID, { eventStatus: 5, attemptNumber: 2 });
  const { result } = await getEvent(eventID);
  expect(result).not.toContain('secret');
  expect(log.lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'a job failed' }));
});

test('a cancelled job is aborted, and its later reports are ignored', async () => {
  const { jobs, handle } = patientHandler();
  await addWorker(handle);
  const [eventID = 0] = await enqueueJobs(1);
  const job = await eventually(() => jobs[0] ?? Promise.reject(new Error('not begun')));
  await server.admin.session.cancelEvent({ params: { eventID } });
  await eventually(() => expect(job.signal.aborted).toBe(true));
  await expect(job.progress(50)).rejects.toThrow();
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 7 });
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'cancelled']);
});

test('progress throws at once after a cancellation, and a late result changes nothing', async () => {
  const failures: unknown[] = [];
  await addWorker(async ({ event, progress, signal }) => {
    await cancel(server.db, event.key ?? 0, {});
    await progress(50).catch((error: unknown) => failures.push(error));
    failures.push(signal.aborted);
    return 'too late';
  });
  const [eventID = 0] = await enqueueJobs(1);
  await eventually(() => expect(failures).toEqual([expect.any(Error), true]));
  expect(await getEvent(eventID)).not.toHaveProperty('result');
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 7 });
});

test('a job that takes longer than many leases keeps its event', async () => {
  const { jobs, handle, release } = patientHandler();
  await addWorker(handle);
  await addWorker(handle);
  const [eventID = 0] = await enqueueJobs(1, { maxAttempts: 5 });
  const leaseEnd = async () =>
    (await server.db<{ end: Date }[]>`select lease_end_date as end from events where key = ${eventID}`)[0]?.end;
  await eventually(() => expect(jobs).toHaveLength(1));
  const first = await leaseEnd();
  // Well past the first lease: its end has moved by more than a whole lease.
  await eventually(async () =>
    expect(Number(await leaseEnd())).toBeGreaterThan(Number(first) + 2 * times.leaseSeconds * 1_000),
  );
  expect(jobs).toHaveLength(1);
  release();
  await becomes(eventID, { eventStatus: 4, attemptNumber: 1 });
});

test('a job that loses its event is aborted, and its result is ignored', async () => {
  const refused: unknown[] = [];
  const worker = await addWorker(async ({ event, signal, progress }) => {
    await server.db`update events set take_id = gen_random_uuid() where key = ${event.key ?? 0}`;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await progress(99).catch((error: unknown) => refused.push(error));
    return 'too late';
  });
  const [eventID = 0] = await enqueueJobs(1);
  await eventually(() => expect(refused).toHaveLength(1));
  await worker.stop();
  const event = await getEvent(eventID);
  expect(event).toMatchObject({ eventStatus: 2, percentComplete: 0 });
  expect(event).not.toHaveProperty('result');
});

test('two workers run every job once, and no more at a time than permitted', async () => {
  const begun: number[] = [];
  const most = [0, 0];
  const counting = (worker: number): JobHandler => {
    let running = 0;
    return async ({ event, progress }) => {
      running += 1;
      most[worker] = Math.max(most[worker] ?? 0, running);
      begun.push(event.key ?? 0);
      // All jobs wait until every slot is used; then there is time to take one too many.
      await eventually(() => expect(begun.length).toBeGreaterThanOrEqual(6));
      for (let percent = 10; percent < 100; percent += 10) await progress(percent);
      running -= 1;
      return 'done';
    };
  };
  const eventIDs = await enqueueJobs(30);
  await Promise.all([addWorker(counting(0), 3), addWorker(counting(1), 3)]);
  await eventually(async () => {
    const [row] = await server.db<{ left: number }[]>`select count(*) as left from events where event_status <> 4`;
    expect(row?.left).toBe(0);
  });
  expect(begun.toSorted((a, b) => a - b)).toEqual(eventIDs);
  expect(most).toEqual([3, 3]);
});

test('priority comes first, then age', async () => {
  const low = await enqueueJobs(2);
  const high = await enqueueJobs(1, { priority: 5 });
  const done: number[] = [];
  await addWorker(async ({ event }) => void done.push(event.key ?? 0));
  await eventually(() => expect(done).toEqual([...high, ...low]));
});

test('a stopping worker gives its events back, even with a single attempt, and another worker takes them', async () => {
  const first = patientHandler();
  const stopping = await addWorker(first.handle);
  const [eventID = 0] = await enqueueJobs(1);
  await eventually(() => expect(first.jobs).toHaveLength(1));
  await stopping.stop();
  expect(first.jobs[0]?.signal.aborted).toBe(true);
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 1, attemptNumber: 0 });
  await addWorker(async () => 'done by another');
  await becomes(eventID, { eventStatus: 4, attemptNumber: 1, result: 'done by another' });
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'worker stopped', 'taken', 'completed']);
});

test('no event is taken while its kind is not ready; a postponed event keeps its attempt', async () => {
  let isReady = false;
  let attempts = 0;
  const handle: JobHandler = async () => {
    attempts += 1;
    if (attempts > 1) return 'done';
    isReady = false;
    throw new JobPostponed('the engine is unavailable');
  };
  const [eventID = 0] = await enqueueJobs(1);
  await addWorker(handle, 1, () => isReady);
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 1, attemptNumber: 0 });
  isReady = true;
  await eventually(() => expect(attempts).toBe(1));
  await becomes(eventID, { eventStatus: 1, attemptNumber: 0 });
  isReady = true;
  await becomes(eventID, { eventStatus: 4, attemptNumber: 1, result: 'done' });
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'postponed', 'taken', 'completed']);
});

test('a handler that ignores its signal does not block a stop', async () => {
  let begun = 0;
  const worker = await addWorker(() => {
    begun += 1;
    return new Promise(() => {});
  });
  const [eventID = 0] = await enqueueJobs(1);
  await eventually(() => expect(begun).toBe(1));
  await worker.stop();
  expect(await getEvent(eventID)).toMatchObject({ eventStatus: 1 });
});

test('a final failure is not retried', async () => {
  await addWorker(async () => {
    throw new FinalJobFailure('the address is not public');
  });
  const [eventID = 0] = await enqueueJobs(1, { maxAttempts: 3 });
  await becomes(eventID, { eventStatus: 5, attemptNumber: 1, result: 'the address is not public' });
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'failed']);
});
