/**
 * A source of bytes that is read piece by piece, so that what one request does not need is left for the next. It never
 * closes the source: a connection that is cut by its reader could no longer be answered.
 */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  #rest: Uint8Array | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** What broke the source: its own error, or the reason for which it was given up. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Up to `most` bytes; undefined at the end. */
  async next(most = Number.MAX_SAFE_INTEGER): Promise<Uint8Array | undefined> {
    if (!(await this.hasMore())) return undefined;
    const chunk = this.#rest!;
    this.#rest = chunk.length > most ? chunk.subarray(most) : undefined;
    return chunk.length > most ? chunk.subarray(0, most) : chunk;
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest === undefined || this.#rest.length === 0) {
      const { done, value } = await this.#pull();
      if (done === true) return false;
      this.#rest = value;
    }
    return true;
  }

  async #pull(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure) throw this.#failure.error;
    try {
      this.#signal?.throwIfAborted();
      return await untilAborted(this.#chunks.next(), this.#signal);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** Waiting ends with the signal, also for a source that knows nothing of it. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  let giveUp = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
