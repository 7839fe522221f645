import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import type { ObjectStore } from './object-store.ts';
import { noObjectStore, startObjectStore } from './object-store.ts';

/** An empty store for each test, as any number of nodes see it. */
export interface Nodes {
  readonly kind: Storage['kind'];
  /** What one more node opens. */
  open(): Storage;
}

const makers = { folder: makeFolder, s3: makeBucketPrefix };
let objectStore: ObjectStore | undefined;

/** To be called once in a test file, before `testBothKinds`. */
export function useObjectStore(): void {
  beforeAll(async () => {
    objectStore = await startObjectStore();
  }, 120_000);
  afterAll(() => objectStore?.stop());
}

/** The same behaviour, asked of a folder and of an object store. */
export function testBothKinds(name: string, body: (nodes: Nodes) => Promise<void>): void {
  for (const kind of ['folder', 's3'] as const) {
    test(`${kind}: ${name}`, { timeout: 180_000 }, async ({ skip }) => {
      if (kind === 's3' && noObjectStore !== undefined) return skip(noObjectStore);
      await body({ kind, open: await makers[kind]() });
    });
  }
}

async function makeFolder(): Promise<() => Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-storage-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return () => openStorage({ url: '', dataDir });
}

/** The running object store, for what only an object store does. */
export function theObjectStore(): ObjectStore {
  if (objectStore === undefined) throw new Error('the object store is not running');
  return objectStore;
}

/** The address of an empty place in the bucket. */
export function emptyPlace(settings = ''): string {
  const prefix = `tests/${randomBytes(4).toString('hex')}`;
  return theObjectStore().url.replace('s3://recordings', `s3://recordings/${prefix}`) + settings;
}

async function makeBucketPrefix(): Promise<() => Storage> {
  const url = emptyPlace();
  return () => openStorage({ ...theObjectStore(), url, dataDir: '' });
}
