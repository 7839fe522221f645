import type { Scratch } from '../storage/scratch.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageUnavailable } from '../storage/storage-error.ts';
import type { WriteFault, WriteWatch } from './write-watch.ts';

/*
 * No new file is started while free space is below the limit: the rest is for the database, which on a single machine
 * is on the same disk and stops when it cannot write its log.
 */

function requireSpace(watch: WriteWatch, name: WriteFault['name']): void {
  const fault = watch.faults().find((each) => each.name === name && each.isBelowFloor);
  if (fault) throw new StorageUnavailable(fault.reason, { isFull: true });
}

export const guardStorage = (storage: Storage, watch: WriteWatch): Storage => ({
  ...storage,
  async append(name, part) {
    requireSpace(watch, 'files');
    return storage.append(name, part);
  },
});

export const guardScratch = (scratch: Scratch, watch: WriteWatch): Scratch => ({
  ...scratch,
  async withPath(work) {
    requireSpace(watch, 'scratch');
    return scratch.withPath(work);
  },
  async withFile(bytes, work, signal) {
    requireSpace(watch, 'scratch');
    return scratch.withFile(bytes, work, signal);
  },
});
