import { S3Failure } from './s3-failure.ts';
import type { S3Objects } from './s3-objects.ts';

/*
 * The bytes behind the last whole part of an unfinished upload lie in the store as objects of their own, its tails, so
 * that any node continues and no acknowledged byte is lost. The key of a tail says which bytes of the file it has:
 *
 *     name.tail-0-65536  name.tail-65536-131072  …  ──the part is full──▶  part of the upload (or the file), no tail
 *
 * A tail never changes. So that many small pieces do not become many objects, the last tails are rewritten as one when
 * there are fifteen of about the same length: each byte is then written once for each order of magnitude, and a part
 * has fewer than a hundred tails, even if its bytes arrive one by one.
 *
 * A tail is removed only when the store already had its bytes in another place at the beginning of the request. Tails
 * of several writers may overlap: all send the same file, and the longest sequence of bytes counts.
 */

export interface Tail {
  readonly key: string;
  /** The first byte, and the first one behind it, in the file. */
  readonly start: number;
  readonly end: number;
}

/** The bytes of a tail that the tails before it do not have. */
export interface TailSpan {
  readonly tail: Tail;
  readonly from: number;
}

export class TailGone extends Error {}

export interface Tails {
  all(key: string): Promise<Tail[]>;
  /** Stores new bytes at `offset`, together with the bytes of these spans before them if possible. */
  add(key: string, spans: readonly TailSpan[], offset: number, block: Uint8Array): Promise<TailSpan>;
  /** Throws TailGone if another node has removed one of them. */
  read(spans: readonly TailSpan[]): AsyncGenerator<Uint8Array>;
  remove(tails: readonly Tail[]): Promise<void>;
}

const pattern = /^(?<name>.*)\.tail-(?<start>\d{1,16})-(?<end>\d{1,16})$/;

/** Undefined if this is the key of something else. */
export function readTailKey(key: string): (Tail & { readonly name: string }) | undefined {
  const { name, start, end } = pattern.exec(key)?.groups ?? {};
  return name === undefined ? undefined : { key, name, start: Number(start), end: Number(end) };
}

export function createTails(objects: S3Objects): Tails {
  async function* read(spans: readonly TailSpan[]): AsyncGenerator<Uint8Array> {
    for (const { tail, from } of spans) {
      const stream = await objects.read(tail.key, { start: from - tail.start, end: tail.end - tail.start });
      if (stream === undefined) throw new TailGone(tail.key);
      yield* stream;
    }
  }
  /** Undefined if it failed, for example because another node has just done it: the old tails are as good. */
  const merge = async (key: string, spans: readonly TailSpan[], offset: number, block: Uint8Array) => {
    const tail = tailOf(key, spans[0]?.from ?? offset, offset + block.length);
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield* read(spans);
      yield block;
    }
    try {
      await objects.put(tail.key, { length: tail.end - tail.start, bytes: bytes() });
      return tail;
    } catch (error) {
      if (error instanceof S3Failure) return undefined;
      throw error;
    }
  };
  return {
    async all(key) {
      const found: Tail[] = [];
      for await (const { key: listed, size } of objects.list(`${key}.tail-`)) {
        const tail = readTailKey(listed);
        if (tail && tail.end - tail.start === size) found.push(tail);
      }
      return found;
    },
    async add(key, spans, offset, block) {
      const merged = spans.length > 0 && (await merge(key, spans, offset, block));
      if (merged) return { tail: merged, from: merged.start };
      const tail = tailOf(key, offset, offset + block.length);
      await objects.put(tail.key, block);
      return { tail, from: offset };
    },
    read,
    async remove(tails) {
      await Promise.all(tails.map(({ key }) => objects.remove(key)));
    },
  };
}

const tailOf = (key: string, start: number, end: number): Tail => ({ key: `${key}.tail-${start}-${end}`, start, end });

/** The longest unbroken sequence of bytes that begins at `from` and ends before `limit`. */
export function spansFrom(tails: readonly Tail[], from: number, limit: number): TailSpan[] {
  const spans: TailSpan[] = [];
  for (let end = from; ;) {
    const [next] = tails
      .filter((tail) => tail.start <= end && tail.end > end && tail.end < limit)
      .toSorted((one, other) => other.end - one.end);
    if (next === undefined) return spans;
    spans.push({ tail: next, from: end });
    end = next.end;
  }
}

const fanOut = 16;
const magnitudeOf = (length: number): number => Math.floor(Math.log2(length) / Math.log2(fanOut));

/** How many of the last spans are rewritten together with this number of new bytes. */
export function countMerged(spans: readonly TailSpan[], added: number): number {
  const lengths = spans.map(({ tail, from }) => tail.end - from);
  let merged = 0;
  for (let total = added; ;) {
    const before = lengths.slice(0, lengths.length - merged);
    const larger = before.findLastIndex((length) => magnitudeOf(length) > magnitudeOf(total));
    const peers = before.slice(larger + 1);
    if (peers.length < fanOut - 1) return merged;
    merged += peers.length;
    total += peers.reduce((sum, length) => sum + length, 0);
  }
}
