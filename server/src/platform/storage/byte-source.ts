/**
 * Reads a source of bytes piece by piece, so that bytes which one request does not need are left for the next. Never
 * closes the source: if the reader closed the connection, no response could be sent.
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

  /** The error of the source, or the reason of the abort. */
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

/** Stops waiting when the signal aborts, even if the source does not observe it. */
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
