import { expect, test } from 'vitest';
import { sendEach } from './send-each.ts';

test('every item is sent once, at most four at a time, and a failure does not stop the others', async () => {
  let running = 0;
  let most = 0;
  const sent: number[] = [];
  const progress: number[] = [];
  const outcomes = await sendEach([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], {
    waitSeconds: () => 0,
    onProgress: (done) => progress.push(done.length),
    async send(item) {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      sent.push(item);
      if (item % 5 === 0) throw new Error(`no ${item}`);
    },
  });
  expect(sent.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(most).toBe(4);
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(outcomes.filter(({ error }) => error !== undefined).map(({ item }) => item)).toEqual([5, 10]);
});

test('after too many requests, the same item is sent again when the server allows it', async () => {
  const slept: number[] = [];
  let refusals = 2;
  const outcomes = await sendEach(['only'], {
    waitSeconds: () => 3,
    sleep: async (ms) => void slept.push(ms),
    async send() {
      refusals -= 1;
      if (refusals >= 0) throw new Error('too many');
    },
  });
  expect(slept).toEqual([3_000, 3_000]);
  expect(outcomes).toEqual([{ item: 'only', error: undefined }]);
});

test('after it was stopped, no further item is begun', async () => {
  const stopping = new AbortController();
  const sent: number[] = [];
  const outcomes = await sendEach([1, 2, 3, 4, 5, 6, 7, 8, 9], {
    waitSeconds: () => 0,
    signal: stopping.signal,
    async send(item) {
      sent.push(item);
      await Promise.resolve();
      if (item === 2) stopping.abort();
    },
  });
  // What was under way is finished.
  expect(sent).toEqual([1, 2, 3, 4]);
  expect(outcomes.map(({ item }) => item)).toEqual([1, 2, 3, 4]);
});
