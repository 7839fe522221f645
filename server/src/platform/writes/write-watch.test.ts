import { expect, test } from 'vitest';
import { recordingLog } from '../../testing/log.ts';
import { StorageUnavailable } from '../storage/storage-error.ts';
import type { WatchedPlace } from './write-watch.ts';
import { createWriteWatch } from './write-watch.ts';

/** A remote store whose probe writes fail as the test sets it. */
function watchStore() {
  const store = { probes: 0, failure: undefined as Error | undefined };
  const place: WatchedPlace = {
    name: 'files',
    folder: undefined,
    concerns: (error) => error instanceof StorageUnavailable,
    async probe() {
      store.probes += 1;
      if (store.failure) throw store.failure;
    },
  };
  const log = recordingLog();
  return { store, log, watch: createWriteWatch({ places: [place], leastFreeBytes: 1, log }) };
}

test('no probe is written while no write fails', async () => {
  const { store, watch } = watchStore();
  for (let round = 0; round < 3; round += 1) await watch.check();
  expect([store.probes, watch.faults()]).toEqual([0, []]);
});

test('a transient failure is not a fault, and its request logs it', async () => {
  const { store, watch, log } = watchStore();
  expect(watch.note(new StorageUnavailable('the connection was broken off'))).toBe(false);
  await watch.check();
  expect([store.probes, watch.faults(), log.lines]).toEqual([1, [], []]);
  expect(watch.note(new Error('another matter'))).toBe(false);
  await watch.check();
  expect(store.probes).toBe(1);
});

test('a lasting failure is a fault until a probe succeeds, and start and end are logged once', async () => {
  const { store, watch, log } = watchStore();
  store.failure = new StorageUnavailable('the store is full', { isFull: true });
  watch.note(store.failure);
  await watch.check();
  for (let request = 0; request < 10; request += 1) expect(watch.note(store.failure)).toBe(true);
  await watch.check();
  // A probe that fails for another reason proves nothing.
  store.failure = new Error('the probe itself did not work');
  await watch.check();
  expect(watch.faults()).toEqual([
    { name: 'files', reason: 'the store is full', freeBytes: undefined, isBelowFloor: false },
  ]);
  store.failure = undefined;
  await watch.check();
  expect(watch.faults()).toEqual([]);
  expect(log.lines.map(({ level }) => level)).toEqual(['error', 'info']);
});
