import type { ServerResponse } from 'node:http';

/** The writing side of a stream of server-sent events. */
export interface EventStream {
  readonly isOpen: boolean;
  /** Whether the other side has yet to take what was written. */
  readonly isFull: boolean;
  write(text: string): void;
  /** Waits until the other side has taken what was written; drops it when it takes too long. */
  drained(): Promise<void>;
  end(): void;
  onClose(act: () => void): void;
}

/** Unsent text beyond this is waited for before more is written: nothing piles up for a slow reader. */
const fullBytes = 65_536;
const takeWithinMs = 15_000;

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
        const drop = setTimeout(() => response.destroy(), takeWithinMs);
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
