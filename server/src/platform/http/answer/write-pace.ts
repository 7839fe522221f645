import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';

/*
 * Each write copies its bytes to the kernel, which takes time of the event loop. Hundreds of downloads that all have their
 * next chunk ready would occupy it for seconds. So in one turn of the loop all downloads together write a limited number
 * of bytes: the next ones wait in order, and other requests are served in between.
 */

/** Passes the bytes of a download on, in its turns. */
export type WritePace = (source: Readable) => Readable;

const bytesPerTurn = 262_144;

export function createWritePace(): WritePace {
  let left = bytesPerTurn;
  let isScheduled = false;
  const waiting: { readonly size: number; readonly write: () => void }[] = [];

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(beginTurn);
  };
  const beginTurn = (): void => {
    isScheduled = false;
    left = bytesPerTurn;
    for (let next = waiting.shift(); next; next = left > 0 ? waiting.shift() : undefined) take(next.size, next.write);
  };
  const take = (size: number, write: () => void): void => {
    left -= size;
    schedule();
    write();
  };

  return (source) => {
    const paced = new Transform({
      // One chunk at a time: more would only take memory for each client that does not read.
      readableHighWaterMark: 1,
      writableHighWaterMark: 1,
      transform(chunk: Uint8Array, _encoding, done) {
        const write = () => done(null, chunk);
        if (left > 0 && waiting.length === 0) take(chunk.length, write);
        else {
          waiting.push({ size: chunk.length, write });
          schedule();
        }
      },
    });
    // The reader of the result is told about errors; a client that disconnects closes the source.
    return pipeline(source, paced, () => {});
  };
}
