import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import { isMissing, needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import type { ObjectStore } from './object-store.ts';
import { startObjectStore } from './object-store.ts';

/** An empty storage for each test, which any number of nodes can open. */
export interface Nodes {
  readonly kind: Storage['kind'];
  /** Opens the storage for another node. */
  open(): Storage;
}

const makers = { folder: makeFolder, s3: makeBucketPrefix };
let objectStore: ObjectStore | undefined;

/** Call it once per test file, before `testBothKinds`. */
export function useObjectStore(): void {
  beforeAll(async () => {
    if (!isMissing('ceph')) objectStore = await startObjectStore();
  });
  afterAll(() => objectStore?.stop());
}

/** The options of tests with this kind of storage. */
export const optionsOf = (kind: Storage['kind']): ReturnType<typeof needs> => (kind === 's3' ? needs('ceph') : {});

/** Runs the same test with a folder and with an object store. */
export function testBothKinds(name: string, body: (nodes: Nodes) => Promise<void>): void {
  for (const kind of ['folder', 's3'] as const) {
    test(`${kind}: ${name}`, optionsOf(kind), async () => {
      await body({ kind, open: await makers[kind]() });
    });
  }
}

async function makeFolder(): Promise<() => Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-storage-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return () => openStorage({ url: '', dataDir });
}

/** The running object store, for tests of object stores only. */
export function theObjectStore(): ObjectStore {
  if (objectStore === undefined) throw new Error('the object store is not running');
  return objectStore;
}

/** The URL of an empty prefix in the bucket. */
export function emptyPlace(settings = ''): string {
  const prefix = `tests/${randomBytes(4).toString('hex')}`;
  return theObjectStore().url.replace('s3://recordings', `s3://recordings/${prefix}`) + settings;
}

async function makeBucketPrefix(): Promise<() => Storage> {
  const url = emptyPlace();
  return () => openStorage({ ...theObjectStore(), url, dataDir: '' });
}
