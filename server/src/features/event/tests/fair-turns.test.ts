import type { JobHandler } from '@earshot/server/platform/events/jobs';
import { recordingLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addDevice } from './fleet.ts';
import { enqueueJoins, patientHandler, startTestWorker, times } from './workers.ts';

// Owners take turns in the platform's own worker, within one priority.

let server: TestServer;
const undo: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  // This server runs no jobs, so that the workers of the tests get all events.
  server = await startTestServer({ eventTimes: times, role: 'server' });
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  await server.db`delete from events`;
});

const addWorker = (handle: JobHandler, concurrency = 1, more: { perOwner?: number; aheadPriority?: number } = {}) =>
  startTestWorker(server, recordingLog(), undo, { handle, concurrency, ...more });
const eventually = <Value>(check: () => Value | Promise<Value>) => vi.waitFor(check, { interval: 50 });

/** One device for each of this many owners, in the order of the owners' keys. */
async function addOwners(count: number): Promise<number[]> {
  const devices: number[] = [];
  for (let owner = 0; owner < count; owner++) {
    const { session } = await server.addPerson();
    devices.push((await addDevice(session)).deviceID);
  }
  return devices;
}

/** Records the device of each event. */
function countingHandler() {
  const done: number[] = [];
  const handle: JobHandler = async ({ event }) => {
    done.push(event.deviceID ?? 0);
    return undefined;
  };
  return { done, handle };
}

test('an owner’s only event is done before the second of another owner, who has five hundred', async () => {
  const [first = 0, second = 0] = await addOwners(2);
  await enqueueJoins(server, 500, { deviceID: first });
  await enqueueJoins(server, 1, { deviceID: second });
  const { done, handle } = countingHandler();
  await addWorker(handle);
  await eventually(() => expect(done).toContain(second));
  expect(done.indexOf(second)).toBeLessThan(2);
});

test('with several workers the event is among the first two of one of them', async () => {
  const [first = 0, second = 0] = await addOwners(2);
  await enqueueJoins(server, 500, { deviceID: first });
  await enqueueJoins(server, 1, { deviceID: second });
  const { jobs, handle } = patientHandler();
  await Promise.all([addWorker(handle, 2), addWorker(handle, 2), addWorker(handle, 2)]);
  await eventually(() => expect(jobs).toHaveLength(6));
  expect(jobs.filter(({ event }) => event.deviceID === second)).toHaveLength(1);
});

test('owners take turns, each with their oldest event', async () => {
  const [first = 0, second = 0, third = 0] = await addOwners(3);
  for (const deviceID of [third, third, third, first, first, second]) await enqueueJoins(server, 1, { deviceID });
  const { done, handle } = countingHandler();
  await addWorker(handle);
  await eventually(() => expect(done).toEqual([first, second, third, first, third, third]));
});

test('a second device does not give a second turn', async () => {
  const { session } = await server.addPerson();
  const devices = [(await addDevice(session)).deviceID, (await addDevice(session)).deviceID];
  const [other = 0] = await addOwners(1);
  for (const deviceID of [...devices, ...devices, other, other]) await enqueueJoins(server, 1, { deviceID });
  const { done, handle } = countingHandler();
  await addWorker(handle);
  await eventually(() => expect(done).toEqual([devices[0], other, devices[1], other, ...devices]));
});

test('a higher priority comes before any turn', async () => {
  const [first = 0, second = 0] = await addOwners(2);
  await enqueueJoins(server, 2, { deviceID: first });
  await enqueueJoins(server, 3, { deviceID: second, priority: 1 });
  const { done, handle } = countingHandler();
  await addWorker(handle);
  await eventually(() => expect(done).toEqual([second, second, second, first, first]));
});

test('an owner has no more jobs at once than the kind allows, at any priority', async () => {
  const [first = 0, second = 0] = await addOwners(2);
  await enqueueJoins(server, 5, { deviceID: first, priority: 3 });
  const { jobs, handle, release } = patientHandler();
  await addWorker(handle, 3, { perOwner: 2 });
  await eventually(() => expect(jobs).toHaveLength(2));
  await enqueueJoins(server, 1, { deviceID: second });
  await eventually(() => expect(jobs.map(({ event }) => event.deviceID)).toEqual([first, first, second]));
  release();
  await eventually(() => expect(jobs).toHaveLength(6));
});

test('events ahead come first, in at most every other turn of their owner, and take no turn of others', async () => {
  const [first = 0, second = 0] = await addOwners(2);
  await enqueueJoins(server, 3, { deviceID: first, priority: 1 });
  await enqueueJoins(server, 3, { deviceID: first, priority: 2 });
  await enqueueJoins(server, 2, { deviceID: second, priority: 1 });
  await enqueueJoins(server, 1, { deviceID: second, priority: 3 });
  const done: string[] = [];
  const handle: JobHandler = async ({ event }) => {
    done.push(`${event.deviceID === first ? 'first' : 'second'} ${event.priority}`);
    return undefined;
  };
  await addWorker(handle, 1, { aheadPriority: 2 });
  await eventually(() => expect(done).toHaveLength(9));
  expect(done[0]).toBe('second 3');
  expect(done.slice(1).join()).toBe('first 2,second 1,first 1,second 1,first 2,first 1,first 2,first 1');
});
