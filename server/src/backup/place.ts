import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder, unlessMissing } from '../platform/storage/folder-layout.ts';
import { createS3Client } from '../platform/storage/s3-client.ts';
import { createS3Objects } from '../platform/storage/s3-objects.ts';
import { parseS3Url } from '../platform/storage/s3-url.ts';
import { BackupFault } from './format.ts';

/** Objects under paths such as `files/0192f0c1`, in a folder or an object store. */
export interface BackupPlace {
  /** For messages. */
  readonly name: string;
  /** The size of an object; undefined if there is none. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Stores a whole object durably, or nothing if the source fails. */
  put(path: string, size: number | undefined, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws a BackupFault if there is no such object. */
  read(path: string): Promise<Readable>;
  /** The paths below a prefix that ends with `/`. */
  list(prefix: string): AsyncIterable<string>;
  remove(path: string): Promise<void>;
  removeUnfinished(): Promise<void>;
}

export interface PlaceKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A folder, or `s3://bucket?…` as in EARSHOT_STORAGE_URL. */
export function openPlace(target: string, keys: PlaceKeys): BackupPlace {
  if (target.startsWith('s3:')) return openBucket(target, keys);
  if (/^[a-z][a-z0-9+.-]+:/i.test(target)) {
    throw new BackupFault(`the target must be a folder or an address such as s3://bucket, not ${target}`);
  }
  return openFolder(resolve(target));
}

/** In a folder, objects are written here and moved when they are complete. */
const unfinishedFolder = 'unfinished';

const missing = (place: string, path: string): BackupFault => new BackupFault(`${path} is missing in ${place}`);

function openFolder(root: string): BackupPlace {
  const at = (path: string): string => join(root, path);
  return {
    name: root,
    sizeOf: async (path) => (await unlessMissing(stat(at(path))))?.size,
    async put(path, _size, source) {
      const folder = dirname(at(path));
      for (const needed of [folder, at(unfinishedFolder)]) await mkdir(needed, { recursive: true, mode: 0o700 });
      const unfinished = join(at(unfinishedFolder), randomUUID());
      const file = await open(unfinished, 'w', 0o600);
      try {
        for await (const chunk of source) await file.write(chunk);
        await file.sync();
      } catch (error) {
        await file.close();
        await rm(unfinished, { force: true });
        throw error;
      }
      await file.close();
      await rename(unfinished, at(path));
      await syncFolder(folder);
    },
    async read(path) {
      if (!(await unlessMissing(stat(at(path))))) throw missing(root, path);
      return createReadStream(at(path), { highWaterMark: 262_144 });
    },
    async *list(prefix) {
      const entries = (await unlessMissing(readdir(at(prefix), { recursive: true, withFileTypes: true }))) ?? [];
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name).slice(root.length + 1);
        if (entry.isFile() && !path.startsWith(`${unfinishedFolder}/`)) yield path;
      }
    },
    remove: (path) => rm(at(path), { force: true }),
    removeUnfinished: () => rm(at(unfinishedFolder), { recursive: true, force: true }),
  };
}

function openBucket(target: string, keys: PlaceKeys): BackupPlace {
  if (keys.accessKey === '' || keys.secretKey === '') {
    throw new BackupFault(
      'the object store of the target needs EARSHOT_BACKUP_S3_ACCESS_KEY and EARSHOT_BACKUP_S3_SECRET_KEY',
    );
  }
  const location = parseS3Url(target);
  const objects = createS3Objects(createS3Client({ location, ...keys }), location);
  const name = `s3://${location.bucket}/${location.prefix}`;
  const at = (path: string): string => location.prefix + path;
  return {
    name,
    sizeOf: async (path) => (await objects.find(at(path)))?.size,
    async put(path, size, source) {
      if (size !== undefined) return objects.put(at(path), { length: size, bytes: source });
      // A PUT needs its length first.
      const folder = await mkdtemp(join(tmpdir(), 'earshot-backup-'));
      try {
        const local = join(folder, 'object');
        await pipeline(source, createWriteStream(local, { mode: 0o600 }));
        const { size: length } = await stat(local);
        await objects.put(at(path), { length, bytes: createReadStream(local) });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async read(path) {
      const found = await objects.read(at(path));
      if (found === undefined) throw missing(name, path);
      return found;
    },
    async *list(prefix) {
      for await (const { key } of objects.list(at(prefix))) yield key.slice(location.prefix.length);
    },
    remove: (path) => objects.remove(at(path)),
    // An object appears when it is complete.
    removeUnfinished: async () => {},
  };
}
