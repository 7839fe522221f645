import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

const refuse = (why: string) => new Error(why);
const limits = { atOnce: 2, perOwner: 2, waiting: 100, waitingPerOwner: 100, refuse };
/** Lets all pending promises settle. */
const settled = () => sleep(0);

/** Tasks that the test ends, and the names of the started ones. */
function manualWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { begun, work, end };
}

test('a limited number run at once, some wait, and the rest is refused', async () => {
  const limiter = createLimiter({ ...limits, waiting: 3 });
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    done += 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => limiter.run(1, work)));
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected', 'rejected']);
  expect([most, done]).toEqual([2, 5]);
  await Promise.all([limiter.run(1, work), limiter.run(1, work)]);
  expect(most).toBe(2);
});

test('a failed task releases its slot for the next', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 1 });
  const failing = limiter.run(1, () => Promise.reject(new Error('no')));
  const next = limiter.run(1, async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await limiter.run(1, async () => 'again')).toBe('again');
});

test('owners take turns, even if one of them has many waiting tasks', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 1 });
  const { begun, work, end } = manualWork();
  for (const [owner, name] of [
    [1, 'a1'],
    [1, 'a2'],
    [1, 'a3'],
    [1, 'a4'],
    [2, 'b1'],
    [2, 'b2'],
    [3, 'c1'],
  ] as const)
    void limiter.run(owner, work(name));
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) {
    expect(begun.at(-1)).toBe(name);
    await end(name);
  }
  expect(begun).toHaveLength(7);
});

test('an owner uses at most its own slots, and another owner gets a free one', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 3, perOwner: 2 });
  const { begun, work, end } = manualWork();
  for (const name of ['a1', 'a2', 'a3']) void limiter.run(1, work(name));
  expect(begun).toEqual(['a1', 'a2']);
  void limiter.run(2, work('b1'));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toHaveLength(3);
  await end('a1');
  expect(begun.at(-1)).toBe('a3');
});

test('a refusal states whether the queue of the owner or of all is full', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 1, waiting: 3, waitingPerOwner: 2 });
  const { work } = manualWork();
  for (const name of ['a1', 'a2', 'a3']) void limiter.run(1, work(name));
  await expect(limiter.run(1, work('a4'))).rejects.toThrow('owner');
  void limiter.run(2, work('b1'));
  await expect(limiter.run(2, work('b2'))).rejects.toThrow('all');
});

test('an aborted task leaves the queue, and the others move up', async () => {
  const limiter = createLimiter({ ...limits, atOnce: 1, waiting: 1 });
  const { begun, work, end } = manualWork();
  const leaving = new AbortController();
  void limiter.run(1, work('a1'));
  const waiting = limiter.run(2, work('b1'), leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  void limiter.run(3, work('c1'));
  await end('a1');
  expect(begun).toEqual(['a1', 'c1']);
  await expect(limiter.run(1, work('a2'), AbortSignal.abort(new Error('never')))).rejects.toThrow('never');
  await end('c1');
  expect(begun).toEqual(['a1', 'c1']);
});
