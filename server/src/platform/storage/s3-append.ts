import { ByteSource } from './byte-source.ts';
import type { S3Stream } from './s3-client.ts';
import { partBytes, wholeBytes } from './s3-multipart.ts';
import type { S3Places, S3Progress } from './s3-progress.ts';
import { endOfPart, readS3Progress } from './s3-progress.ts';
import type { Tail, TailSpan } from './s3-tails.ts';
import { countMerged, TailGone } from './s3-tails.ts';
import { OffsetMismatch, TooManyBytes } from './storage-error.ts';
import type { AppendedPart } from './storage.ts';

/*
 * Bytes are received in blocks of a mebibyte. Bytes that will fill a part, by the length that the sender announced, go
 * to the part as they arrive, behind its tails, and are written once. All other blocks become tails. So do those of a
 * slow sender, which would lose much if it were cut. If a sender is cut while a part is sent, its first block is still
 * here and becomes a tail, so that every attempt gets further.
 */

const blockBytes = 1024 * 1024;

export interface AppendRules {
  /** A sender that needs longer for a block is slow. */
  readonly slowBlockMs: number;
}

export async function appendToS3(
  places: S3Places,
  key: string,
  part: AppendedPart,
  rules: AppendRules,
): Promise<number> {
  const { size } = part;
  const progress = await readS3Progress(places, key, size);
  if (progress.offset !== part.offset) throw new OffsetMismatch(progress.offset);
  const bytes = new ByteSource(part.source, part.signal);
  if (progress.offset === size) {
    if (await bytes.hasMore()) throw new TooManyBytes(size);
    return size;
  }
  await places.tails.remove(supersededBy(progress));
  return new Appending(places, key, part, bytes, progress).run(rules);
}

/** Tails whose bytes are in parts or in longer tails. */
function supersededBy({ tails, spans, offset }: S3Progress): Tail[] {
  const inUse = new Set(spans.map(({ tail }) => tail));
  return tails.filter((tail) => tail.end <= offset && !inUse.has(tail));
}

/** One call of append. What it has stored it remembers, and does not ask the store again. */
class Appending {
  readonly #places: S3Places;
  readonly #key: string;
  readonly #part: AppendedPart;
  readonly #bytes: ByteSource;
  #upload: S3Progress['upload'];
  #inParts: number;
  #spans: readonly TailSpan[];
  #offset: number;
  #left: number;
  readonly #added: Tail[] = [];

  constructor(places: S3Places, key: string, part: AppendedPart, bytes: ByteSource, progress: S3Progress) {
    this.#places = places;
    this.#key = key;
    this.#part = part;
    this.#bytes = bytes;
    this.#upload = progress.upload;
    this.#inParts = progress.inParts;
    this.#spans = progress.spans;
    this.#offset = progress.offset;
    // Without a known length the source may end at any time.
    this.#left = part.length ?? 0;
  }

  async run({ slowBlockMs }: AppendRules): Promise<number> {
    while (this.#offset < this.#part.size) {
      const room = endOfPart(this.#part.size, this.#inParts) - this.#offset;
      const since = performance.now();
      const block = await takeBlock(this.#bytes, Math.min(blockBytes, room));
      if (block.length === 0) break;
      const isFast = performance.now() - since <= slowBlockMs;
      const willFill = block.length === blockBytes && this.#left >= room && this.#bytes.failure === undefined;
      const isSent = (block.length === room || (willFill && isFast)) && (await this.#sendPart(block, room));
      if (!isSent) await this.#addTail(block);
    }
    await this.#requireUnfinished();
    if (this.#bytes.failure) throw this.#bytes.failure.error;
    return this.#offset;
  }

  /** Sends the tails, the block and what follows as one part; false if the source ends before it is full. */
  async #sendPart(block: Uint8Array, room: number): Promise<boolean> {
    const outcome: { isLong?: boolean; isShort?: boolean; isGone?: boolean } = {};
    const stream = { length: this.#offset + room - this.#inParts, bytes: this.#partBytes(block, room, outcome) };
    try {
      await this.#send(stream);
    } catch (error) {
      if (outcome.isLong) throw new TooManyBytes(this.#part.size);
      if (outcome.isGone) {
        const { offset } = await readS3Progress(this.#places, this.#key, this.#part.size);
        throw new OffsetMismatch(offset);
      }
      if (outcome.isShort) return false;
      throw error;
    }
    const tails = this.#spans.map(({ tail }) => tail);
    this.#advance(room);
    [this.#inParts, this.#spans] = [this.#offset, []];
    await this.#places.tails.remove(tails);
    return true;
  }

  async *#partBytes(
    block: Uint8Array,
    room: number,
    outcome: { isLong?: boolean; isShort?: boolean; isGone?: boolean },
  ): AsyncGenerator<Uint8Array> {
    const { size } = this.#part;
    try {
      yield* this.#places.tails.read(this.#spans);
    } catch (error) {
      outcome.isGone = error instanceof TailGone;
      throw error;
    }
    let left = room;
    for (let chunk: Uint8Array | undefined = block; ; chunk = await nextOf(this.#bytes, left)) {
      outcome.isShort = chunk === undefined;
      if (chunk === undefined) throw new Error('the source ended early');
      left -= chunk.length;
      // Checked before the last bytes are sent, because the store keeps the part as soon as it is complete.
      outcome.isLong = left === 0 && this.#offset + room === size && (await hasMore(this.#bytes));
      if (outcome.isLong) throw new TooManyBytes(size);
      yield chunk;
      if (left === 0) return;
    }
  }

  async #send(stream: S3Stream): Promise<void> {
    const { objects, multipart } = this.#places;
    const { size, signal } = this.#part;
    if (size <= wholeBytes) return objects.put(this.#key, stream, signal);
    this.#upload ??= await multipart.create(this.#key);
    await multipart.sendPart(this.#upload, this.#inParts / partBytes(size) + 1, stream, signal);
  }

  async #addTail(block: Uint8Array): Promise<void> {
    const { tails } = this.#places;
    const kept = this.#spans.length - countMerged(this.#spans, block.length);
    const span = await tails.add(this.#key, this.#spans.slice(kept), this.#offset, block);
    this.#added.push(span.tail);
    this.#spans = [...this.#spans.filter(({ from }) => from < span.from), span];
    this.#advance(block.length);
  }

  #advance(length: number): void {
    this.#offset += length;
    this.#left -= length;
  }

  /** Another node may have finished the file from the same bytes; then nobody needs the new tails. */
  async #requireUnfinished(): Promise<void> {
    if (this.#added.length === 0 || this.#offset === this.#part.size) return;
    const file = await this.#places.objects.find(this.#key);
    if (file === undefined) return;
    await this.#places.tails.remove(this.#added);
    throw new OffsetMismatch(file.size);
  }
}

/** Up to this many bytes, fewer at the end of the source or if it fails; then `bytes.failure` is set. */
async function takeBlock(bytes: ByteSource, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let left = most; left > 0;) {
    const chunk = await nextOf(bytes, left);
    if (chunk === undefined) break;
    chunks.push(chunk);
    left -= chunk.length;
  }
  return Buffer.concat(chunks);
}

/** Undefined at the end, or if the source fails. */
const nextOf = (bytes: ByteSource, most: number): Promise<Uint8Array | undefined> =>
  bytes.next(most).catch(() => undefined);

const hasMore = (bytes: ByteSource): Promise<boolean> => bytes.hasMore().catch(() => false);
