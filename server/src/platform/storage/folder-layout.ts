import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageUnavailable } from './storage-error.ts';
import { checkName, isStoredName } from './stored-name.ts';

/*
 * <root>/56/34/…123456              a file
 * <root>/56/34/…123456.part         an unfinished upload without a writer
 * <root>/56/34/…123456.part.<token> an unfinished upload with a writer (folder-part.ts)
 *
 * The end of the name chooses the folder, because it is random in every kind of UUID; 65,536 folders keep each small.
 */

const freeSuffix = '.part';
const heldSuffix = /^\.part\.[0-9a-f]+$/;

export interface StoredPath {
  readonly folder: string;
  readonly file: string;
  readonly freePart: string;
  heldPart(token: string): string;
}

export function storedPathOf(root: string, name: string): StoredPath {
  checkName(name);
  const end = name.padStart(4, '-').slice(-4);
  const folder = join(root, end.slice(2), end.slice(0, 2));
  const file = join(folder, name);
  return { folder, file, freePart: file + freeSuffix, heldPart: (token) => `${file}${freeSuffix}.${token}` };
}

/** The meaning of a folder entry; undefined for other programs' files. */
export function readEntry(entry: string): { name: string; kind: 'file' | 'free' | 'held' } | undefined {
  const dot = entry.indexOf('.');
  const [name, suffix] = dot === -1 ? [entry, ''] : [entry.slice(0, dot), entry.slice(dot)];
  if (!isStoredName(name)) return undefined;
  if (suffix === '') return { name, kind: 'file' };
  if (suffix === freeSuffix) return { name, kind: 'free' };
  return heldSuffix.test(suffix) ? { name, kind: 'held' } : undefined;
}

export interface FoundPart {
  readonly path: string;
  readonly isFree: boolean;
  readonly size: number;
  /** The last change of its bytes or its name: a claim counts as activity. */
  readonly changed: Date;
}

/** The paths of a name: its file and its unfinished uploads. */
export async function listEntries({ folder, file, freePart }: StoredPath): Promise<string[]> {
  const paths = (await readFolder(folder)).map((entry) => join(folder, entry));
  return paths.filter((path) => path === file || path.startsWith(freePart));
}

/**
 * The unfinished uploads of a name, the largest first. There is one, unless a process died while it took over another.
 */
export async function findParts(place: StoredPath): Promise<FoundPart[]> {
  for (;;) {
    const paths = (await listEntries(place)).filter((path) => path !== place.file);
    const found = paths.map(async (path) => {
      const stats = await unlessMissing(stat(path));
      return stats && { path, isFree: path === place.freePart, size: stats.size, changed: stats.ctime };
    });
    const parts = (await Promise.all(found)).filter((part) => part !== undefined);
    // One that is missing by now has another name, unless it was removed.
    if (parts.length === paths.length) return parts.toSorted((one, other) => other.size - one.size);
  }
}

const readFolder = async (folder: string): Promise<string[]> => (await unlessMissing(readdir(folder))) ?? [];

export async function unlessMissing<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isFault(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export const isFault = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

/** Creates a folder that survives a power cut: each new parent entry is synced. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the disk is read-only',
  EACCES: 'Earshot has no permission to write there',
  EPERM: 'Earshot has no permission to write there',
  EIO: 'the disk reports an I/O error',
  EFBIG: 'the file system does not allow a file of this size',
  ESTALE: 'the shared folder was replaced; mount it again',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'the path is not a folder',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
};

const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

export function isOfFileSystem(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && typeof syscall === 'string';
}

const probeBytes = 65_536;

/** Writes a file, syncs it and removes it; throws the error of the file system. */
export async function probeFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const probe = join(folder, `.check-${process.pid}`);
  try {
    const handle = await open(probe, 'w', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(probeBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

/** Describes errors of the file system in words; returns other errors unchanged. */
export function explainFault(root: string, error: unknown): unknown {
  if (error instanceof StorageUnavailable || !isOfFileSystem(error)) return error;
  const { code = '', syscall } = error;
  const reason = reasons[code] ?? `${syscall} failed with ${code}`;
  const message = `files cannot be stored in ${root}: ${reason}`;
  return new StorageUnavailable(message, { cause: error, isFull: fullCodes.has(code) });
}
