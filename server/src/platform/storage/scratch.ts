import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { explainFault, probeFolder } from './folder-layout.ts';
import { StoredFileMissing } from './storage-error.ts';
import type { Storage } from './storage.ts';

/** A folder for files that are gone after the work that needs them, whatever became of it. */
export interface Scratch {
  readonly root: string;
  /** Throws StorageUnavailable when no file can be made there. */
  check(): Promise<void>;
  /** Hands out a path at which the work may make a file. */
  withPath<Result>(work: (path: string) => Promise<Result>): Promise<Result>;
  /** Writes the bytes to a file and hands its path to the work. */
  withFile<Result>(
    bytes: AsyncIterable<Uint8Array>,
    work: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** The path of a stored file: where it lies, or of a copy, which goes when it is released. */
  openStored(storage: Storage, name: string, signal?: AbortSignal): Promise<OpenedFile>;
  /** Hands that path to the work. */
  withStored<Result>(
    storage: Storage,
    name: string,
    work: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
}

export interface OpenedFile {
  readonly path: string;
  readonly release: () => Promise<void>;
}

/** What a former process left there is removed: a data folder has one process. */
export async function openScratch(dataDir: string): Promise<Scratch> {
  const folder = join(dataDir, 'scratch');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });

  const withPath: Scratch['withPath'] = async (work) => {
    const path = join(folder, randomUUID());
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  };
  const openStored: Scratch['openStored'] = async (storage, name, signal) => {
    const local = storage.localPath(name);
    if (local !== undefined) {
      if ((await storage.sizeOf(name)) === undefined) throw new StoredFileMissing(name);
      return { path: local, release: async () => {} };
    }
    const path = join(folder, randomUUID());
    const release = () => rm(path, { force: true });
    try {
      await write(await storage.read(name), path, folder, signal);
    } catch (error) {
      await release();
      throw error;
    }
    return { path, release };
  };
  return {
    root: folder,
    check: () =>
      probeFolder(folder).catch((error: unknown) => {
        throw explainFault(folder, error);
      }),
    withPath,
    openStored,
    withFile: (bytes, work, signal) =>
      withPath(async (path) => {
        await write(bytes, path, folder, signal);
        return work(path);
      }),
    async withStored(storage, name, work, signal) {
      const { path, release } = await openStored(storage, name, signal);
      try {
        return await work(path);
      } finally {
        await release();
      }
    },
  };
}

async function write(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let fault: unknown;
  target.once('error', (error) => (fault = error));
  // A stream made of the bytes ends with them, but does not close what they come from.
  const source = bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
  try {
    await pipeline(source, target, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw fault === undefined ? error : explainFault(folder, fault);
  }
}
