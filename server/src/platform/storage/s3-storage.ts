import { Readable } from 'node:stream';
import { copyIn } from './copy-in.ts';
import { appendToS3 } from './s3-append.ts';
import type { S3ClientOptions } from './s3-client.ts';
import { createS3Client } from './s3-client.ts';
import { S3Failure } from './s3-failure.ts';
import type { Multipart } from './s3-multipart.ts';
import { createMultipart, wholeBytes } from './s3-multipart.ts';
import { createS3Objects } from './s3-objects.ts';
import type { S3Places } from './s3-progress.ts';
import { readS3Progress, unlessGone } from './s3-progress.ts';
import { createTails, readTailKey } from './s3-tails.ts';
import { OffsetMismatch, StoredFileMissing } from './storage-error.ts';
import type { Storage, StoredEntry } from './storage.ts';
import { checkName, isStoredName } from './stored-name.ts';

/** The limit of stores for one request. */
const largestPutBytes = 5 * 1024 ** 3;

/**
 * Uploads that clients PUT directly to the store stay here until they are finished, because a client can replace its
 * upload while the signed URL is valid.
 */
const sentSuffix = '.sent';

export interface S3StorageOptions extends S3ClientOptions {
  /** How many list entries to request at once; the store's default if undefined. */
  readonly pageLength?: number;
  /** A sender that needs longer for a mebibyte is slow: its bytes are stored as they arrive, not part by part. */
  readonly slowBlockMs?: number;
}

export function createS3Storage(options: S3StorageOptions): Storage {
  const { prefix, isDirect } = options.location;
  const client = createS3Client(options);
  const objects = createS3Objects(client, options.location, options.pageLength);
  const multipart = createMultipart(client, options.pageLength);
  const tails = createTails(objects);
  const places: S3Places = { objects, multipart, tails };
  const { slowBlockMs = 4000 } = options;
  const keyOf = (name: string) => {
    checkName(name);
    return prefix + name;
  };

  const storage: Storage = {
    kind: 's3',
    root: undefined,
    async signUpload(name, { size, lifetimeSeconds }) {
      const key = keyOf(name) + sentSuffix;
      if (!isDirect || size > largestPutBytes) return undefined;
      // The content type is not signed; otherwise the client would have to send exactly the same text.
      return client.presign({ method: 'PUT', key, headers: { 'content-length': String(size) } }, lifetimeSeconds);
    },
    uploadOffset: async (name, size) => (await readS3Progress(places, keyOf(name), size)).offset,
    async append(name, part) {
      const key = keyOf(name);
      try {
        return await appendToS3(places, key, part, { slowBlockMs });
      } catch (error) {
        if (error instanceof S3Failure && error.isFull && part.offset === 0)
          await abortAll(multipart, key).catch(() => {});
        throw error;
      }
    },
    finish: async (name, size) => finish(places, keyOf(name), size),
    storeFile: (name, path, size) => copyIn(storage, name, path, size),
    sizeOf: async (name) => (await objects.find(keyOf(name)))?.size,
    async read(name, range) {
      const key = keyOf(name);
      // A range request cannot ask for zero bytes.
      const isNothing = range !== undefined && range.start >= range.end;
      const found = isNothing ? (await objects.find(key)) && Readable.from([]) : await objects.read(key, range);
      if (found === undefined) throw new StoredFileMissing(name);
      return found;
    },
    localPath: () => undefined,
    async remove(name) {
      const key = keyOf(name);
      await abortAll(multipart, key);
      await tails.remove(await tails.all(key));
      await objects.remove(key + sentSuffix);
      await objects.remove(key);
    },
    async *list(): AsyncGenerator<StoredEntry> {
      for await (const { key, modified } of objects.list(prefix)) {
        const whole = readTailKey(key)?.name ?? (key.endsWith(sentSuffix) ? key.slice(0, -sentSuffix.length) : key);
        const name = whole.slice(prefix.length);
        if (isStoredName(name)) yield { name, isFinished: whole === key, modified };
      }
      for await (const { key, initiated } of multipart.list(prefix)) {
        const name = key.slice(prefix.length);
        if (isStoredName(name)) yield { name, isFinished: false, modified: initiated };
      }
    },
    check: () => objects.check(prefix),
  };
  return storage;
}

async function abortAll(multipart: Multipart, key: string): Promise<void> {
  for (const upload of await multipart.all(key)) await multipart.abort(upload);
}

async function finish(places: S3Places, key: string, size: number): Promise<void> {
  const { objects, tails } = places;
  const file = await objects.find(key);
  if (!file) await makeFile(places, key, size);
  // Always checked, because another node may have finished it, or the response to our own call was lost.
  const finished = file ?? (await objects.find(key));
  if (finished?.size !== size)
    throw new OffsetMismatch(finished?.size ?? (await readS3Progress(places, key, size)).offset);
  // A node that died, or was slow, may have left some.
  await tails.remove(await tails.all(key));
}

/** Creates the file if the upload is complete. */
async function makeFile(places: S3Places, key: string, size: number): Promise<void> {
  const { objects, multipart } = places;
  const sent = await objects.find(key + sentSuffix);
  if (sent?.size === size) {
    await unlessGone(objects.copy(key + sentSuffix, sent.etag, key));
    await objects.remove(key + sentSuffix);
  } else if (size === 0) await objects.put(key, new Uint8Array());
  else if (size > wholeBytes) {
    const { upload, parts, inParts } = await readS3Progress(places, key, size);
    if (!upload || inParts !== size) return;
    await unlessGone(multipart.complete(upload, parts));
    await abortAll(multipart, key);
  }
}
