import type { FileHandle } from 'node:fs/promises';
import { open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ByteSource } from './byte-source.ts';
import { copyIn } from './copy-in.ts';
import type { StoredPath } from './folder-layout.ts';
import {
  explainFault,
  findParts,
  isOfFileSystem,
  makeFolder,
  storedPathOf,
  probeFolder,
  readEntry,
  syncFolder,
  unlessMissing,
} from './folder-layout.ts';
import { holdPart, releasePart, tryRename } from './folder-part.ts';
import { OffsetMismatch, StoredFileMissing, TooManyBytes } from './storage-error.ts';
import type { AppendedPart, ByteRange, Storage, StoredEntry } from './storage.ts';

export interface FolderStorageOptions {
  readonly root: string;
  /** After this time without a write, another writer may take over an upload. */
  readonly staleAfterMs?: number;
}

/** Files in a folder, which several nodes may share. A file gets its name only when it is complete and on the disk. */
export function createFolderStorage({ root, staleAfterMs = 5000 }: FolderStorageOptions): Storage {
  const explained = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      throw explainFault(root, error);
    }
  };
  const at = (name: string) => storedPathOf(root, name);
  const storage: Storage = {
    kind: 'folder',
    root,
    signUpload: async (name) => void at(name),
    uploadOffset: async (name) => explained(findOffset(at(name))),
    async append(name, part) {
      const bytes = new ByteSource(part.source, part.signal);
      try {
        return await append(at(name), part, bytes, staleAfterMs);
      } catch (error) {
        throw bytes.failure ? error : explainFault(root, error);
      }
    },
    finish: async (name, size) => explained(finish(at(name), size, staleAfterMs)),
    async storeFile(name, path, size) {
      if (!(await explained(moveIn(at(name), path)))) await copyIn(storage, name, path, size);
    },
    sizeOf: async (name) => explained(findSize(at(name))),
    read: async (name, range) => explained(read(at(name), name, range)),
    localPath: (name) => at(name).file,
    remove: async (name) => explained(remove(at(name))),
    list: () => list(root),
    check: () => explained(probeFolder(root)),
  };
  return storage;
}

const findSize = async ({ file }: StoredPath): Promise<number | undefined> => (await unlessMissing(stat(file)))?.size;

async function findOffset(place: StoredPath): Promise<number> {
  const [part] = await findParts(place);
  // Checks the file last, because a part may become the file in between.
  return (await findSize(place)) ?? part?.size ?? 0;
}

async function append(place: StoredPath, part: AppendedPart, bytes: ByteSource, staleAfterMs: number): Promise<number> {
  const { offset, size, signal } = part;
  const finished = await findSize(place);
  if (finished !== undefined) {
    if (finished !== offset) throw new OffsetMismatch(finished);
    if (await bytes.hasMore()) throw new TooManyBytes(size);
    return offset;
  }
  const held = await holdPart(place, offset, { staleAfterMs, signal });
  if (held === undefined) return append(place, part, bytes, staleAfterMs);
  let end: number;
  try {
    const handle = await open(held.path, 'r+');
    try {
      end = await writeAll(handle, offset, size, bytes);
      if (part.isSynced) await handle.sync();
    } catch (error) {
      if (bytes.failure === undefined && isOfFileSystem(error)) await takeBack(handle, held.path, offset);
      throw error;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await releasePart(place, held.path).catch(() => false);
    throw error;
  }
  if (!(await releasePart(place, held.path))) throw new OffsetMismatch(await findOffset(place));
  return end;
}

/** After a write error, most often a full disk, discards the bytes of the incomplete write. */
async function takeBack(handle: FileHandle, path: string, offset: number): Promise<void> {
  if (offset === 0) await rm(path, { force: true }).catch(() => {});
  else await handle.truncate(offset).catch(() => {});
}

async function writeAll(handle: FileHandle, offset: number, size: number, bytes: ByteSource): Promise<number> {
  let position = offset;
  // One chunk is written while the next arrives.
  let writing = Promise.resolve();
  try {
    for (let chunk = await bytes.next(); chunk !== undefined; chunk = await bytes.next()) {
      if (position + chunk.length > size) throw new TooManyBytes(size);
      await writing;
      writing = writeChunk(handle, chunk, position);
      // The next wait reports the error, which may be much later.
      writing.catch(() => {});
      position += chunk.length;
    }
  } catch (error) {
    await writing.catch(() => {});
    throw error;
  }
  await writing;
  return position;
}

async function writeChunk(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let from = 0; from < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, from, chunk.length - from, position + from);
    from += bytesWritten;
  }
}

async function finish(place: StoredPath, size: number, staleAfterMs: number): Promise<void> {
  while (!(await isFinished(place, size))) {
    const held = await holdPart(place, size, { staleAfterMs });
    if (held === undefined) continue;
    try {
      await syncFile(held.path);
    } catch (error) {
      // Bytes that failed to sync may be lost, and a second sync would not report it, so the upload must start again.
      await rm(held.path, { force: true }).catch(() => {});
      throw error;
    }
    // Another writer took over while the disk was slow, and finishes the file.
    if (await tryRename(held.path, place.file)) break;
  }
  // Also if another writer renamed it: it may have died before this sync.
  await syncFolder(place.folder);
  for (const { path } of await findParts(place)) await rm(path, { force: true });
}

/** Moves a file of the same disk, so that its bytes are written once. False if it is on another disk. */
async function moveIn({ folder, file }: StoredPath, path: string): Promise<boolean> {
  await makeFolder(folder);
  await syncFile(path);
  try {
    await rename(path, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

async function isFinished(place: StoredPath, size: number): Promise<boolean> {
  const finished = await findSize(place);
  if (finished !== undefined && finished !== size) throw new OffsetMismatch(finished);
  return finished !== undefined;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function read({ file }: StoredPath, name: string, range?: ByteRange): Promise<Readable> {
  const handle = await unlessMissing(open(file, 'r'));
  if (handle === undefined) throw new StoredFileMissing(name);
  if (range === undefined) return handle.createReadStream();
  if (range.start < range.end) {
    return handle.createReadStream({ start: range.start, end: range.end - 1 });
  }
  await handle.close();
  return Readable.from([]);
}

async function remove(place: StoredPath): Promise<void> {
  // Parts first, because a part may become the file in between.
  for (const { path } of await findParts(place)) await rm(path, { force: true });
  await rm(place.file, { force: true });
}

async function* list(root: string): AsyncGenerator<StoredEntry> {
  for await (const outer of foldersIn(root)) {
    for await (const folder of foldersIn(outer)) yield* entriesIn(folder);
  }
}

async function* foldersIn(folder: string): AsyncGenerator<string> {
  const entries = await unlessMissing(opendir(folder));
  if (entries === undefined) return;
  for await (const entry of entries) if (entry.isDirectory()) yield join(folder, entry.name);
}

async function* entriesIn(folder: string): AsyncGenerator<StoredEntry> {
  for await (const entry of await opendir(folder)) {
    const known = entry.isFile() ? readEntry(entry.name) : undefined;
    const stats = known && (await unlessMissing(stat(join(folder, entry.name))));
    if (stats) yield { name: known.name, isFinished: known.kind === 'file', modified: stats.mtime };
  }
}
