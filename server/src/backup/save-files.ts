import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { StoredFileMissing } from '../platform/storage/storage-error.ts';
import type { Storage } from '../platform/storage/storage.ts';
import type { BackupManifest, SavedFile } from './format.ts';
import { backupPath, BackupFault, fileListName, filePath, readFileLine, writeFileLine } from './format.ts';
import { compress } from './save-tables.ts';
import { listStored } from './stored-files.ts';
import type { BackupTarget } from './target.ts';
import { hashed, listBackups } from './target.ts';

export interface FileProgress {
  (done: number, all: number, copiedBytes: number): void;
}

export interface SavedFiles {
  readonly files: BackupManifest['files'];
  readonly copied: number;
  readonly copiedBytes: number;
}

/** Copies the files that the target does not have yet, and saves the list of all. */
export async function saveFiles(
  client: Client,
  storage: Storage,
  target: BackupTarget,
  id: string,
  onProgress: FileProgress,
): Promise<SavedFiles> {
  const rows = await listStored(client);
  const known = await readNewestList(target);
  const saved: SavedFile[] = [];
  let copied = 0;
  let copiedBytes = 0;
  for (const { name, size } of rows) {
    const before = known.get(name);
    if (before?.size === size && (await target.has(filePath(name), size))) saved.push(before);
    else {
      const sha256 = await saveFile(storage, target, name, size);
      saved.push({ name, size, sha256 });
      copied += 1;
      copiedBytes += size;
    }
    onProgress(saved.length, rows.length, copiedBytes);
  }
  return { files: await saveFileList(target, id, saved), copied, copiedBytes };
}

/** For a backup of the database alone. */
export const saveNoFiles = (target: BackupTarget, id: string): Promise<BackupManifest['files']> =>
  saveFileList(target, id, []);

async function saveFileList(
  target: BackupTarget,
  id: string,
  saved: readonly SavedFile[],
): Promise<BackupManifest['files']> {
  const sha256 = createHash('sha256');
  const lines = saved.map(writeFileLine);
  for (const line of lines) sha256.update(line);
  await target.put(backupPath(id, fileListName), compress(Readable.from(lines.map((line) => Buffer.from(line)))));
  const bytes = saved.reduce((sum, file) => sum + file.size, 0);
  return { count: saved.length, bytes, sha256: sha256.digest('hex') };
}

/** A copy of an earlier backup that was interrupted is there already, but its hash is not known. */
async function saveFile(storage: Storage, target: BackupTarget, name: string, size: number): Promise<string> {
  let sha256 = '';
  let sent = 0;
  const source = hashed(await openFile(storage, name), (hash, bytes) => ([sha256, sent] = [hash, bytes]));
  if (await target.has(filePath(name), size)) for await (const _ of source);
  else await target.put(filePath(name), source, size);
  if (sent !== size) {
    throw new BackupFault(`the file ${name} has ${sent} bytes, and its record says ${size}; run earshot verify`);
  }
  return sha256;
}

async function openFile(storage: Storage, name: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    return (await storage.read(name)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!(error instanceof StoredFileMissing)) throw error;
    throw new BackupFault(`the bytes of the file ${name} are missing; run earshot verify to see all such files`);
  }
}

async function readNewestList(target: BackupTarget): Promise<ReadonlyMap<string, SavedFile>> {
  const newest = (await listBackups(target)).at(-1);
  const known = new Map<string, SavedFile>();
  if (newest === undefined) return known;
  for await (const file of readFileList(target, newest)) known.set(file.name, file);
  return known;
}

/** The files of a backup. With `expected`, the list is checked against its hash at the end. */
export async function* readFileList(target: BackupTarget, id: string, expected?: string): AsyncGenerator<SavedFile> {
  const hash = createHash('sha256');
  const path = backupPath(id, fileListName);
  for await (const line of createInterface({ input: decompress(target.read(path), path) })) {
    hash.update(`${line}\n`);
    yield readFileLine(line);
  }
  if (expected !== undefined && hash.digest('hex') !== expected) throw damaged(path);
}

export const damaged = (path: string): BackupFault =>
  new BackupFault(`${path} is damaged: its bytes are not those that were saved`);

export function decompress(source: AsyncIterable<Uint8Array>, path: string): Readable {
  const gunzip = createGunzip();
  const from = Readable.from(source);
  from.on('error', (error) => gunzip.destroy(error));
  // The errors of zlib, such as "unexpected end of file", do not say of what.
  const content = from.pipe(gunzip);
  async function* explained(): AsyncGenerator<Uint8Array> {
    try {
      yield* content as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true ? damaged(path) : error;
    }
  }
  return Readable.from(explained());
}
