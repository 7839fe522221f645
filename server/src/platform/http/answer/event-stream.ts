import type { ServerResponse } from 'node:http';

/** The writing side of a server-sent event stream. */
export interface EventStream {
  readonly isOpen: boolean;
  /** Whether the client has not yet received what was written. */
  readonly isFull: boolean;
  write(text: string): void;
  /** Waits until the client has received what was written; closes the connection if that takes too long. */
  drained(): Promise<void>;
  end(): void;
  onClose(act: () => void): void;
}

/** No more is written while more than this is unsent, so that nothing accumulates in memory for a slow client. */
const fullBytes = 65_536;
const drainTimeoutMs = 15_000;

export function createEventStream(response: ServerResponse): EventStream {
  const isOpen = () => !response.writableEnded && !response.destroyed;
  return {
    get isOpen() {
      return isOpen();
    },
    get isFull() {
      return response.writableLength > fullBytes;
    },
    write(text) {
      if (isOpen()) response.write(text);
    },
    drained() {
      if (!isOpen() || !response.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const drop = setTimeout(() => response.destroy(), drainTimeoutMs);
        const done = () => {
          clearTimeout(drop);
          response.off('drain', done).off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      });
    },
    end() {
      if (isOpen()) response.end();
    },
    onClose: (act) => void response.once('close', act),
  };
}
