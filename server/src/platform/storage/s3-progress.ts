import type { Multipart, StoredPart, StoredUpload } from './s3-multipart.ts';
import { partBytes, wholeBytes } from './s3-multipart.ts';
import { S3Failure } from './s3-failure.ts';
import type { S3Objects } from './s3-objects.ts';
import type { Tail, Tails, TailSpan } from './s3-tails.ts';
import { spansFrom } from './s3-tails.ts';

/** The places of one bucket where the bytes of an upload can be. */
export interface S3Places {
  readonly objects: S3Objects;
  readonly multipart: Multipart;
  readonly tails: Tails;
}

/** What the store has of an upload. */
export interface S3Progress {
  readonly offset: number;
  readonly isFile: boolean;
  readonly upload: StoredUpload | undefined;
  readonly parts: readonly StoredPart[];
  /** The number of bytes in whole parts. */
  readonly inParts: number;
  /** The bytes behind them. */
  readonly spans: readonly TailSpan[];
  /** All tails, also those whose bytes are elsewhere. */
  readonly tails: readonly Tail[];
}

/** Where the part ends that has the byte at this place. A small file is one part. */
export const endOfPart = (size: number, inParts: number): number =>
  size <= wholeBytes ? size : Math.min(inParts + partBytes(size), size);

export async function readS3Progress(places: S3Places, key: string, size: number): Promise<S3Progress> {
  // In the order in which bytes move, so that bytes that leave one place meanwhile are found in the next.
  const tails = await places.tails.all(key);
  const { upload, parts } = await findLongest(places.multipart, key, size);
  const file = await places.objects.find(key);
  const inParts = sum(parts);
  const spans = file ? [] : spansFrom(tails, inParts, endOfPart(size, inParts));
  const offset = file?.size ?? spans.at(-1)?.tail.end ?? inParts;
  return { offset, isFile: file !== undefined, upload, parts, inParts, spans, tails };
}

interface LongestUpload {
  readonly upload: StoredUpload | undefined;
  readonly parts: readonly StoredPart[];
}

/** Two nodes may have started one each at the same time: then the one with more bytes counts, the older if equal. */
async function findLongest(multipart: Multipart, key: string, size: number): Promise<LongestUpload> {
  let longest: LongestUpload = { upload: undefined, parts: [] };
  if (size <= wholeBytes) return longest;
  for (const upload of await multipart.all(key)) {
    const parts = (await unlessGone(multipart.parts(upload, size))) ?? [];
    if (longest.upload === undefined || parts.length > longest.parts.length) longest = { upload, parts };
  }
  return longest;
}

const sum = (parts: readonly { readonly size: number }[]): number => parts.reduce((total, { size }) => total + size, 0);

/** Ignores that another node has finished or removed the upload meanwhile. */
export async function unlessGone<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof S3Failure && error.status === 404) return undefined;
    throw error;
  }
}
