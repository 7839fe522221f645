import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Change } from './query.ts';
import { followChange, refresh, reload, useLatest, watchChanges } from './query.ts';
import { forgetSession } from './session.ts';
import { changeOf, follow, keyOf, leaveAll, makeSource, refused, settle, use } from './testing/used-query.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await leaveAll();
  vi.useRealTimers();
});

test('components with one key share one request and its data', async () => {
  const { query, requests, latest } = makeSource<string>('shared');
  const [first, second] = [await use(query), await use(query)];
  expect(first.seen()).toEqual({ data: undefined, error: undefined });
  expect(requests).toHaveLength(1);
  await latest().answer('data');
  expect([first.seen().data, second.seen().data]).toEqual(['data', 'data']);
  await first.leave();
  expect((await use(query)).seen().data).toBe('data');
  expect(requests).toHaveLength(1);
});

test('a component that brings newer functions for a key replaces those of before', async () => {
  const { query, latest } = makeSource<number[]>('replaced', { follow });
  const page = await use(query);
  await latest().answer([1]);
  await page.show({ ...query, follow: (data, change) => [keyOf(change), ...data] });
  followChange(changeOf(2));
  await settle();
  expect(page.seen().data).toEqual([2, 1]);
});

test('changes during a load are applied to its result, each once', async () => {
  const { query, latest } = makeSource<number[]>('missed', { follow });
  const page = await use(query);
  followChange(changeOf(2));
  followChange(changeOf(3));
  await latest().answer([1]);
  expect(page.seen().data).toEqual([1, 2, 3]);
  refresh(['missed']);
  await latest().answer([1, 2, 3]);
  expect(page.seen().data).toEqual([1, 2, 3]);
  followChange(changeOf(4));
  await settle();
  expect(page.seen().data).toEqual([1, 2, 3, 4]);
});

test('a change before any data, or of data that follows none, does nothing', async () => {
  const followed = makeSource<number[]>('failed', { follow });
  const failedPage = await use(followed.query);
  await followed.latest().fail(refused);
  const fixed = makeSource<number[]>('fixed');
  const fixedPage = await use(fixed.query);
  await fixed.latest().answer([1]);
  followChange(changeOf(2));
  await settle();
  expect(failedPage.seen()).toEqual({ data: undefined, error: refused });
  expect(fixedPage.seen().data).toEqual([1]);
});

test('changes that ask for a reload cause one at once, and at most one in a second', async () => {
  const { query, requests, latest } = makeSource<string>('often', { follow: () => reload });
  await use(query);
  await latest().answer('first');
  for (const key of [1, 2, 3]) followChange(changeOf(key));
  expect(requests).toHaveLength(2);
  await latest().answer('second');
  followChange(changeOf(4));
  await vi.advanceTimersByTimeAsync(700);
  expect(requests).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(300);
  expect(requests).toHaveLength(3);
  await latest().answer('third');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(3);
  followChange(changeOf(5));
  expect(requests).toHaveLength(4);
});

test('a reload that is due while another is under way follows it', async () => {
  const { query, requests } = makeSource<string>('slow', { follow: () => reload });
  const page = await use(query);
  await requests[0]!.answer('first');
  followChange(changeOf(1));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(requests).toHaveLength(2);
  await requests[1]!.answer('second');
  expect(requests).toHaveLength(3);
  await requests[2]!.answer('third');
  expect(page.seen().data).toBe('third');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(3);
});

test('data that nobody shows is reloaded when it is shown next', async () => {
  const { query, requests, latest } = makeSource<string>('unused', { follow: () => reload });
  const page = await use(query);
  await latest().answer('first');
  await page.leave();
  followChange(changeOf(1));
  refresh('all');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(1);
  const again = await use(query);
  expect(again.seen().data).toBe('first');
  expect(requests).toHaveLength(2);
  await latest().answer('second');
  expect(again.seen().data).toBe('second');
});

test('a load that may stop is stopped when the last component leaves, and begun again by the next', async () => {
  const { query, requests, latest } = makeSource<string>('stopped', { mayStop: true });
  const [first, second] = [await use(query), await use(query)];
  await first.leave();
  expect(latest().signal.aborted).toBe(false);
  await second.leave();
  expect(latest().signal.aborted).toBe(true);
  await latest().fail(new DOMException('stopped', 'AbortError'));
  const page = await use(query);
  // Nobody is told of a failure that was asked for.
  expect(page.seen()).toEqual({ data: undefined, error: undefined });
  expect(requests).toHaveLength(2);
  await latest().answer('data');
  await page.leave();
  expect(latest().signal.aborted).toBe(false);
  expect((await use(query)).seen().data).toBe('data');
  expect(requests).toHaveLength(2);
});

test('a load that may not stop ends, and its data is there for the next component', async () => {
  const { query, requests, latest } = makeSource<string>('kept on');
  const page = await use(query);
  await page.leave();
  expect(latest().signal.aborted).toBe(false);
  await latest().answer('data');
  expect((await use(query)).seen().data).toBe('data');
  expect(requests).toHaveLength(1);
});

test('a refresh reloads all data, data that follows no changes, or data by the start of its key', async () => {
  const sources = [
    makeSource<number[]>('device 1', { follow }),
    makeSource<number[]>('device 2'),
    makeSource<number[]>('clip device'),
  ];
  for (const { query, requests } of sources) {
    await use(query);
    await requests[0]!.answer([]);
  }
  const reloaded = async () => {
    const counts = sources.map(({ requests }) => requests.length);
    for (const { latest } of sources) await latest().answer([]);
    return counts;
  };
  const watcher = vi.fn<(change: Change | 'reset') => void>();
  const off = watchChanges(watcher);
  refresh('unfollowed');
  expect(await reloaded()).toEqual([1, 2, 2]);
  refresh(['device', 'user']);
  expect(await reloaded()).toEqual([2, 3, 2]);
  expect(watcher).not.toHaveBeenCalled();
  refresh('all');
  expect(await reloaded()).toEqual([3, 4, 3]);
  expect(watcher.mock.calls).toEqual([['reset']]);
  followChange(changeOf(7));
  expect(watcher).toHaveBeenLastCalledWith(changeOf(7));
  off();
  refresh('all');
  expect(watcher).toHaveBeenCalledTimes(2);
});

test('signing out forgets all data', async () => {
  const { query, requests, latest } = makeSource<string>('secret');
  const page = await use(query);
  await latest().answer('data');
  await page.leave();
  forgetSession();
  expect((await use(query)).seen().data).toBeUndefined();
  expect(requests).toHaveLength(2);
});

test('of a hundred kept queries the oldest that nobody shows makes room', async () => {
  const [shown, oldest] = [makeSource<string>('of a shown page'), makeSource<string>('oldest')];
  await use(shown.query);
  await shown.latest().answer('data');
  const page = await use(oldest.query);
  await oldest.latest().answer('data');
  await page.leave();
  const pass = async (count: number, name: string) => {
    for (let index = 0; index < count; index++) {
      const other = makeSource<string>(`${name} ${index}`);
      const otherPage = await use(other.query);
      await other.latest().answer('data');
      await otherPage.leave();
    }
  };
  await pass(50, 'few');
  const again = await use(oldest.query);
  expect(again.seen().data).toBe('data');
  await again.leave();
  await pass(100, 'many');
  await use(oldest.query);
  expect(oldest.requests).toHaveLength(2);
  expect((await use(shown.query)).seen().data).toBe('data');
  expect(shown.requests).toHaveLength(1);
});

test('the latest data stays while that of another query is loading', async () => {
  const [first, second] = [makeSource<string>('page one'), makeSource<string>('page two')];
  const page = await use(first.query, useLatest);
  await first.latest().answer('one');
  await page.show(second.query);
  expect(page.seen().data).toBe('one');
  await second.latest().answer('two');
  expect(page.seen().data).toBe('two');
  const third = makeSource<string>('page three');
  await page.show(third.query);
  await third.latest().fail(refused);
  expect(page.seen()).toEqual({ data: undefined, error: refused });
});
