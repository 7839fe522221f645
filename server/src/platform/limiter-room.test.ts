import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

const limits = { atOnce: 1, perOwner: 1, waiting: 1, waitingPerOwner: 1, refuse: (why: string) => new Error(why) };

/** A task that ends when it is told to. */
function makeTask() {
  let end = () => {};
  const done = new Promise<void>((resolve) => (end = resolve));
  return { work: () => done, end: () => end() };
}

test('a task that begins makes room for another that waits', async () => {
  const limiter = createLimiter(limits);
  const [first, second, third] = [makeTask(), makeTask(), makeTask()];
  const running = [limiter.run(1, first.work), limiter.run(2, second.work)];
  await expect(limiter.run(3, third.work)).rejects.toThrow('all');
  first.end();
  await sleep(0);
  running.push(limiter.run(3, third.work));
  second.end();
  third.end();
  await Promise.all(running);
});

test('an aborted task makes room once, also if it has begun before', async () => {
  const limiter = createLimiter(limits);
  const [first, second] = [makeTask(), makeTask()];
  const stop = new AbortController();
  const running = [limiter.run(1, first.work), limiter.run(2, second.work, stop.signal)];
  first.end();
  await sleep(0);
  // It runs already: whether it stops is its own decision.
  stop.abort();
  const waiting = limiter.run(3, async () => 'third');
  await expect(limiter.run(4, async () => 'fourth')).rejects.toThrow('all');
  second.end();
  expect(await waiting).toBe('third');
  await Promise.all(running);
});

test('a waiting task that is aborted makes room for one other', async () => {
  const limiter = createLimiter(limits);
  const first = makeTask();
  const running = limiter.run(1, first.work);
  const stop = new AbortController();
  const aborted = limiter.run(2, async () => 'second', stop.signal);
  stop.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  const waiting = limiter.run(3, async () => 'third');
  await expect(limiter.run(4, async () => 'fourth')).rejects.toThrow('all');
  first.end();
  expect(await waiting).toBe('third');
  await running;
});

test('an owner whose only waiting task is aborted may wait again', async () => {
  const limiter = createLimiter({ ...limits, waiting: 5 });
  const first = makeTask();
  const running = limiter.run(1, first.work);
  for (let attempt = 0; attempt < 3; attempt++) {
    const stop = new AbortController();
    const waiting = limiter.run(2, async () => 'second', stop.signal);
    await expect(limiter.run(2, async () => 'other')).rejects.toThrow('owner');
    stop.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  }
  const last = limiter.run(2, async () => 'second');
  first.end();
  expect(await last).toBe('second');
  await running;
});

test('after all work has ended, as much runs at once as at the beginning', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 2, perOwner: 2, waiting: 9, waitingPerOwner: 9 });
  for (let round = 0; round < 3; round++) {
    let [running, most] = [0, 0];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(0);
      running -= 1;
    };
    await Promise.all([1, 2, 3].flatMap((owner) => [limiter.run(owner, work), limiter.run(owner, work)]));
    expect(most).toBe(2);
  }
});
