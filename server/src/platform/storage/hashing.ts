import { createHash } from 'node:crypto';

export interface HashedBytes extends AsyncIterable<Uint8Array> {
  /** How many bytes have passed. */
  readonly size: number;
  /** The hash of the bytes that have passed. Can be called once. */
  digest(): string;
}

/** Hashes bytes as they pass through. */
export function hashing(source: AsyncIterable<Uint8Array>): HashedBytes {
  const hash = createHash('sha256');
  let size = 0;
  return {
    get size() {
      return size;
    },
    digest: () => hash.digest('hex'),
    async *[Symbol.asyncIterator]() {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
  };
}

export async function hashAll(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  return hash.digest('hex');
}
