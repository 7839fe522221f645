import { setTimeout as sleep } from 'node:timers/promises';
import type { NewEvent } from '@earshot/server/features/event/enqueue/new-events';
import { waitingText } from '@earshot/server/features/event/work/outage';
import type { JobHandler } from '@earshot/server/platform/events/jobs';
import { StorageUnavailable } from '@earshot/server/platform/storage/storage-error';
import { startDatabaseProxy } from '@earshot/server/testing/database-proxy';
import { recordingLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { enqueueJoins, patientHandler, startTestWorker } from './workers.ts';

/* What becomes of jobs while something that the platform needs is away. */

const log = recordingLog();
let server: TestServer;
let deviceID: number;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // This server runs no jobs, so that the workers of the tests get all events.
  server = await startTestServer({ role: 'server' });
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

const addWorker = (handle: JobHandler, concurrency = 1) => startTestWorker(server, log, undo, { handle, concurrency });
const enqueueJobs = (count: number, more: Partial<NewEvent> = {}) => enqueueJoins(server, count, { deviceID, ...more });
const getEvent = (eventID: number) => server.admin.session.getEvent({ params: { eventID } });
const causesOf = async (eventID: number) =>
  (await server.admin.session.listEventHistory({ params: { eventID } })).map(({ cause }) => cause);
const becomes = (eventID: number, expected: object) =>
  vi.waitFor(async () => expect(await getEvent(eventID)).toMatchObject(expected), { interval: 50 });

test('while the storage cannot be used, a job waits with its reason, and its only attempt stays', async () => {
  let isUsable = false;
  await addWorker(async () => {
    if (!isUsable)
      throw new Error('reading failed', { cause: new StorageUnavailable('the store at 10.0.0.7 is away') });
    return 'done';
  });
  const [eventID = 0, ...others] = await enqueueJobs(5, { maxAttempts: 1 });
  await becomes(eventID, { eventStatus: 1, attemptNumber: 0, result: waitingText.storage });
  // One tries at a time, with longer and longer pauses, not each of them.
  await sleep(1_000);
  const attempts = async () =>
    (await Promise.all([eventID, ...others].map(causesOf))).flat().filter((cause) => cause === 'taken').length;
  expect(await attempts()).toBe(1);
  isUsable = true;
  for (const key of [eventID, ...others]) await becomes(key, { eventStatus: 4, attemptNumber: 1, result: 'done' });
  expect(await causesOf(eventID)).toEqual(['enqueued', 'taken', 'waiting', 'taken', 'completed']);
  expect(log.lines).toMatchObject([{ message: 'a job waits: the storage cannot be used' }]);
});

test('a job that fails alone while others succeed is at fault itself', async () => {
  let damaged = 0;
  await addWorker(async ({ event }) => {
    if (event.key === damaged) throw new StorageUnavailable('this object cannot be read');
    return 'done';
  });
  [damaged = 0] = await enqueueJobs(1, { maxAttempts: 1 });
  await becomes(damaged, { eventStatus: 1, result: waitingText.storage });
  const others = await enqueueJobs(2);
  for (const key of others) await becomes(key, { eventStatus: 4 });
  await becomes(damaged, { eventStatus: 5, attemptNumber: 1 });
  // It may have waited more than once before the others came.
  expect((await causesOf(damaged)).slice(-3)).toEqual(['waiting', 'taken', 'failed']);
});

test('a job that runs for long beside one that waits does not keep others from beginning', async () => {
  let [long, damaged] = [0, 0];
  const patient = patientHandler();
  await addWorker(async (job) => {
    if (job.event.key === long) return patient.handle(job);
    if (job.event.key === damaged) throw new StorageUnavailable('this object cannot be read');
    return 'done';
  }, 2);
  [long = 0] = await enqueueJobs(1);
  await becomes(long, { eventStatus: 2 });
  [damaged = 0] = await enqueueJobs(1, { maxAttempts: 3 });
  await becomes(damaged, { eventStatus: 1, result: waitingText.storage });
  for (const key of await enqueueJobs(3)) await becomes(key, { eventStatus: 4 });
  expect(await getEvent(long)).toMatchObject({ eventStatus: 2 });
  patient.release();
  await becomes(long, { eventStatus: 4 });
});

test('a job waits for a day at most, then its attempts count', async () => {
  await addWorker(async () => {
    throw new StorageUnavailable('the store is away');
  });
  const [eventID = 0] = await enqueueJobs(1, { maxAttempts: 1 });
  await becomes(eventID, { eventStatus: 1, result: waitingText.storage });
  await server.db`
    update event_transitions set transition_date = now() - interval '25 hours'
    where event_id = ${eventID} and cause = 'waiting'`;
  await becomes(eventID, { eventStatus: 5, attemptNumber: 1 });
});

test('work that ends while the database is away is recorded when it is back, and not done again', async () => {
  const proxy = await startDatabaseProxy(server.databaseUrl);
  let attempts = 0;
  const handle: JobHandler = async () => {
    attempts += 1;
    proxy.cut();
    setTimeout(() => proxy.answerNewOnes(), 1_500);
    return 'done';
  };
  await startTestWorker(server, log, undo, { handle, concurrency: 1 }, proxy.url);
  const [eventID = 0] = await enqueueJobs(1, { maxAttempts: 1 });
  await becomes(eventID, { eventStatus: 4, attemptNumber: 1, result: 'done' });
  expect([attempts, await causesOf(eventID)]).toEqual([1, ['enqueued', 'taken', 'completed']]);
});
