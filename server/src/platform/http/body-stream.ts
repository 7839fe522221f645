import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../errors.ts';

/** The bytes that a request brings, as they come: read no faster than they are used. */
export interface ReceivedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the request says; undefined when it does not. */
  readonly length: number | undefined;
  /** Aborts when the rest will not come. */
  readonly signal: AbortSignal;
}

/**
 * Never closes the connection, so that whoever stops reading can still answer. Ends with a refusal when nothing comes
 * for a while or the sender is gone; the time that its reader takes is not counted.
 */
export class BodyStream implements ReceivedBytes {
  readonly length: number | undefined;
  readonly #request: IncomingMessage;
  readonly #idleMs: number;
  readonly #ending = new AbortController();
  #wake = (): void => {};

  constructor(request: IncomingMessage, idleMs: number) {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.length = coding === undefined ? Number(length ?? 0) : undefined;
    this.#request = request;
    this.#idleMs = idleMs;
    const wake = () => this.#wake();
    const leave = () => {
      if (!request.complete) this.#end(new Refusal('invalid', 'The connection ended before the body did.'));
      wake();
    };
    request.on('readable', wake).once('end', wake).once('error', leave).once('close', leave);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get bytes(): AsyncIterable<Uint8Array> {
    return this.#chunks();
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      // What came before the connection broke is given out first.
      const chunk = this.#request.read() as Buffer | null;
      if (chunk !== null) yield chunk;
      else if (this.#request.readableEnded) return;
      else {
        this.signal.throwIfAborted();
        await this.#movement();
      }
    }
  }

  #movement(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end(new Refusal('timedOut', `No byte came for ${this.#idleMs / 1000} seconds.`));
        resolve();
      }, this.#idleMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #end(reason: Refusal): void {
    this.#ending.abort(reason);
  }
}
