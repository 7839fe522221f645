import { Readable } from 'node:stream';
import { ByteSource } from './byte-source.ts';
import { copyIn } from './copy-in.ts';
import type { S3ClientOptions, S3Stream } from './s3-client.ts';
import { createS3Client } from './s3-client.ts';
import { S3Failure } from './s3-failure.ts';
import type { Multipart } from './s3-multipart.ts';
import { createMultipart, partBytes, wholeBytes } from './s3-multipart.ts';
import { createS3Objects, type S3Objects } from './s3-objects.ts';
import { OffsetMismatch, StoredFileMissing, TooManyBytes } from './storage-error.ts';
import type { AppendedPart, Storage, StoredEntry } from './storage.ts';
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
}

export function createS3Storage(options: S3StorageOptions): Storage {
  const { prefix, isDirect } = options.location;
  const client = createS3Client(options);
  const objects = createS3Objects(client, options.location, options.pageLength);
  const multipart = createMultipart(client, options.pageLength);
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
    uploadOffset: async (name, size) => findOffset(objects, multipart, keyOf(name), size),
    async append(name, part) {
      const key = keyOf(name);
      const offset = await findOffset(objects, multipart, key, part.size);
      if (offset !== part.offset) throw new OffsetMismatch(offset);
      const bytes = new ByteSource(part.source, part.signal);
      if (offset < part.size && part.size > wholeBytes) {
        try {
          return await appendParts(multipart, key, part, bytes);
        } catch (error) {
          if (error instanceof S3Failure && error.isFull && offset === 0)
            await abortAll(multipart, key).catch(() => {});
          throw error;
        }
      }
      if (offset < part.size) return appendWhole(objects, key, part, bytes);
      if (await bytes.hasMore()) throw new TooManyBytes(part.size);
      return offset;
    },
    finish: async (name, size) => finish(objects, multipart, keyOf(name), size),
    takeFile: (name, path, size) => copyIn(storage, name, path, size),
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
      await objects.remove(key + sentSuffix);
      await objects.remove(key);
    },
    async *list(): AsyncGenerator<StoredEntry> {
      for await (const { key, modified } of objects.list(prefix)) {
        const isFinished = !key.endsWith(sentSuffix);
        const name = key.slice(prefix.length, isFinished ? undefined : -sentSuffix.length);
        if (isStoredName(name)) yield { name, isFinished, modified };
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

async function findOffset(objects: S3Objects, multipart: Multipart, key: string, size: number): Promise<number> {
  const file = await objects.find(key);
  if (file || size <= wholeBytes) return file?.size ?? 0;
  const upload = await multipart.find(key);
  const parts = upload && (await unlessGone(multipart.parts(upload, size)));
  return sum(parts ?? []);
}

async function abortAll(multipart: Multipart, key: string): Promise<void> {
  for (const upload of await multipart.all(key)) await multipart.abort(upload);
}

const sum = (parts: readonly { readonly size: number }[]): number => parts.reduce((total, { size }) => total + size, 0);

async function appendWhole(objects: S3Objects, key: string, part: AppendedPart, bytes: ByteSource): Promise<number> {
  const isStored = await sendPiece(bytes, part.size, part, (stream) => objects.put(key, stream, part.signal));
  return isStored ? part.size : 0;
}

async function appendParts(multipart: Multipart, key: string, part: AppendedPart, bytes: ByteSource): Promise<number> {
  const { size, signal } = part;
  const length = partBytes(size);
  let { offset } = part;
  if (!(await bytes.hasMore())) return offset;
  const upload = await multipart.findOrCreate(key);
  while (offset < size) {
    const left = Math.min(length, size - offset);
    const number = offset / length + 1;
    const send = (stream: S3Stream) => multipart.sendPart(upload, number, stream, signal);
    if (!(await sendPiece(bytes, left, { size, isLast: offset + left === size }, send))) break;
    offset += left;
  }
  return offset;
}

/** Sends the next bytes as one part; false if the source ends before there are enough. */
async function sendPiece(
  bytes: ByteSource,
  length: number,
  { size, isLast = true }: { readonly size: number; readonly isLast?: boolean },
  send: (stream: S3Stream) => Promise<void>,
): Promise<boolean> {
  let isShort = false;
  let isLong = false;
  async function* take(): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      const chunk = await bytes.next(left);
      isShort = chunk === undefined;
      if (chunk === undefined) throw new Error('the source ended early');
      left -= chunk.length;
      // Checked before the last bytes are sent, because the store keeps the part as soon as it is complete.
      isLong = isLast && left === 0 && (await bytes.hasMore());
      if (isLong) throw new TooManyBytes(size);
      yield chunk;
    }
  }
  try {
    if (!(await bytes.hasMore())) return false;
    await send({ length, bytes: take() });
    return true;
  } catch (error) {
    if (bytes.failure) throw bytes.failure.error;
    if (isLong) throw new TooManyBytes(size);
    if (isShort) return false;
    throw error;
  }
}

async function finish(objects: S3Objects, multipart: Multipart, key: string, size: number): Promise<void> {
  const file = await objects.find(key);
  const offset = file ? file.size : await makeFile(objects, multipart, key, size);
  // Always checked, because another node may have finished it, or the response to our own call was lost.
  const finished = file ?? (await objects.find(key));
  if (finished?.size !== size) throw new OffsetMismatch(finished?.size ?? offset);
}

/** Creates the file if the upload is complete; returns the number of bytes that have arrived. */
async function makeFile(objects: S3Objects, multipart: Multipart, key: string, size: number): Promise<number> {
  const sent = await objects.find(key + sentSuffix);
  if (sent?.size === size) {
    await unlessGone(objects.copy(key + sentSuffix, sent.etag, key));
    await objects.remove(key + sentSuffix);
    return size;
  }
  if (size === 0) await objects.put(key, { length: 0, bytes: Readable.from([]) });
  if (size <= wholeBytes) return 0;
  const [upload, ...others] = await multipart.all(key);
  const parts = (upload && (await unlessGone(multipart.parts(upload, size)))) ?? [];
  if (upload && sum(parts) === size) {
    await unlessGone(multipart.complete(upload, parts));
    for (const other of others) await multipart.abort(other);
  }
  return sum(parts);
}

/** Ignores that another node has finished or removed the upload meanwhile. */
async function unlessGone<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof S3Failure && error.status === 404) return undefined;
    throw error;
  }
}
