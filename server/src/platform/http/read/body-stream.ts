import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../../errors.ts';

/** The body of a request as a stream with backpressure. */
export interface ReceivedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** From Content-Length; undefined if the request does not state it. */
  readonly length: number | undefined;
  /** Aborts when the rest of the body will not arrive. */
  readonly signal: AbortSignal;
}

/**
 * Never closes the connection, so a handler that stops reading can still respond. Ends with a refusal if no byte
 * arrives within the idle timeout or the client disconnects. The time that the handler spends between reads is not
 * counted.
 */
export class BodyStream implements ReceivedBytes {
  readonly length: number | undefined;
  readonly #request: IncomingMessage;
  readonly #idleMs: number;
  readonly #ending = new AbortController();
  #receivedBytes = 0;
  #wake = (): void => {};

  constructor(request: IncomingMessage, idleMs: number) {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.length = coding === undefined ? Number(length ?? 0) : undefined;
    this.#request = request;
    this.#idleMs = idleMs;
    const wake = () => this.#wake();
    const leave = () => {
      if (!request.complete)
        this.#end(new Refusal('invalid', 'The connection was closed before the whole body arrived.'));
      wake();
    };
    request.on('readable', wake).once('end', wake).once('error', leave).once('close', leave);
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get bytes(): AsyncIterable<Uint8Array> {
    return this.#chunks();
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      // Bytes that arrived before the connection broke are delivered first.
      const chunk = this.#request.read() as Buffer | null;
      if (chunk !== null) {
        this.#receivedBytes += chunk.length;
        yield chunk;
      } else if (this.#request.readableEnded) return;
      else {
        this.signal.throwIfAborted();
        await this.#movement();
      }
    }
  }

  #movement(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end(new Refusal('timedOut', `No byte arrived for ${this.#idleMs / 1000} seconds.`));
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
