import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

const busy = new Error('busy');

test('so much is done at once, some wait, and the rest is turned away', async () => {
  const limiter = createLimiter({ atOnce: 2, waiting: 3, refuse: () => busy });
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    done += 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => limiter.run(work)));
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected', 'rejected']);
  expect([most, done]).toEqual([2, 5]);
  await Promise.all([limiter.run(work), limiter.run(work)]);
  expect(most).toBe(2);
});

test('a failure gives its place to the next', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 2, refuse: () => busy });
  const failing = limiter.run(() => Promise.reject(new Error('no')));
  const next = limiter.run(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await limiter.run(async () => 'again')).toBe('again');
});
