import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { explainFault, probeFolder } from './folder-layout.ts';
import { StoredFileMissing } from './storage-error.ts';
import type { Storage } from './storage.ts';

/** A folder for temporary files, which are removed after the work that needs them, even if it fails. */
export interface Scratch {
  readonly root: string;
  /** Throws StorageUnavailable if no file can be created. */
  check(): Promise<void>;
  /** Passes a path to `work`, where it may create a file. */
  withPath<Result>(work: (path: string) => Promise<Result>): Promise<Result>;
  /** Writes the bytes to a new file at a path of `withPath`. */
  write(path: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** Writes the bytes to a file and passes its path to `work`. */
  withFile<Result>(
    bytes: AsyncIterable<Uint8Array>,
    work: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** The path of a stored file, or of a local copy, which is removed on release. */
  openStored(storage: Storage, name: string, signal?: AbortSignal): Promise<OpenedFile>;
  /** Passes that path to `work`. */
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

/** Removes what an earlier process left: only one process uses a data folder. */
export async function openScratchFolder(dataDir: string): Promise<Scratch> {
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
    write: (path, bytes, signal) => write(bytes, path, folder, signal),
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
  // Ending this stream does not close the source of the bytes.
  const source = bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
  try {
    await pipeline(source, target, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw fault === undefined ? error : explainFault(folder, fault);
  }
}
