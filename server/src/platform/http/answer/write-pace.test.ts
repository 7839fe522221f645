import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWritePace } from './write-pace.ts';

const chunkBytes = 65_536;

/** Has all of its chunks ready, as files in the cache of the system. */
const source = (chunks: number, fill = 1): Readable =>
  Readable.from(Array.from({ length: chunks }, () => Buffer.alloc(chunkBytes, fill)));

test('the bytes arrive whole and in order', async () => {
  const pace = createWritePace();
  const bytes = Array.from({ length: 40 }, (_, index) => Buffer.alloc(10_000 + index, index));
  const received = await buffer(pace(Readable.from(bytes)));
  expect(received.equals(Buffer.concat(bytes))).toBe(true);
});

test('a hundred downloads write a limited number of bytes in each turn, and take turns', async () => {
  const pace = createWritePace();
  const received = Array.from({ length: 100 }, () => 0);
  let inTurn = 0;
  const ended = received.map(async (_, index) => {
    for await (const chunk of pace(source(8)) as AsyncIterable<Buffer>) {
      received[index]! += chunk.length;
      inTurn += chunk.length;
    }
  });
  const over = new AbortController();
  const all = Promise.all(ended).then(() => over.abort());
  let most = 0;
  let widest = 0;
  while (!over.signal.aborted) {
    await nextTurn();
    most = Math.max(most, inTurn);
    inTurn = 0;
    widest = Math.max(widest, Math.max(...received) - Math.min(...received));
  }
  await all;
  expect(received).toEqual(received.map(() => 8 * chunkBytes));
  expect(most).toBeLessThanOrEqual(8 * chunkBytes);
  // None waits while another one is served to its end.
  expect(widest).toBeLessThanOrEqual(3 * chunkBytes);
});

test('a client that disconnects closes the source, and the others go on', async () => {
  const pace = createWritePace();
  const left = source(1_000);
  const paced = pace(left);
  const others = [pace(source(20, 2)), pace(source(20, 3))].map(buffer);
  const closed = new Promise((resolve) => left.once('close', resolve));
  await once(paced, 'readable');
  paced.destroy();
  await closed;
  for (const bytes of await Promise.all(others)) expect(bytes.length).toBe(20 * chunkBytes);
});

test('the failure of a source reaches the reader', async () => {
  const pace = createWritePace();
  async function* failing() {
    yield Buffer.alloc(10);
    throw new Error('the disk is gone');
  }
  await expect(buffer(pace(Readable.from(failing())))).rejects.toThrow('the disk is gone');
});
