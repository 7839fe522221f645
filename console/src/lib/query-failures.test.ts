import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onRetry, refresh, retryFailedData } from './query.ts';
import { leaveAll, makeSource, refused, unreachable, use } from './testing/used-query.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await leaveAll();
  vi.useRealTimers();
});

test('a load that failed is repeated later and later, shows that it is, and keeps the data', async () => {
  const { query, requests, latest } = makeSource<string>('failing');
  const page = await use(query);
  await latest().answer('data');
  refresh(['failing']);
  await latest().fail(unreachable);
  expect(page.seen()).toEqual({ data: 'data', error: unreachable });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(3);
  expect(page.seen()).toEqual({ data: 'data', error: unreachable, isRetrying: true });
  await latest().fail(unreachable);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(4);
  await latest().answer('newer');
  expect(page.seen()).toEqual({ data: 'newer', error: undefined });
  // After a success the first delay is short again.
  refresh(['failing']);
  await latest().fail(unreachable);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(6);
});

test('a refusal is not repeated, until the data is shown again', async () => {
  const { query, requests, latest } = makeSource<string>('refused');
  const page = await use(query);
  await latest().fail(refused);
  await vi.advanceTimersByTimeAsync(60_000);
  retryFailedData();
  expect(requests).toHaveLength(1);
  expect(page.seen()).toEqual({ data: undefined, error: refused });
  await page.leave();
  await use(query);
  expect(requests).toHaveLength(2);
});

test('what nobody shows any more is not repeated', async () => {
  const failed = makeSource<string>('left');
  const page = await use(failed.query);
  await failed.latest().fail(unreachable);
  await page.leave();
  const underWay = makeSource<string>('left during');
  const other = await use(underWay.query);
  await other.leave();
  await underWay.latest().fail(unreachable);
  await vi.advanceTimersByTimeAsync(60_000);
  retryFailedData();
  expect([failed.requests, underWay.requests].map(({ length }) => length)).toEqual([1, 1]);
});

test('while another component shows it, it is repeated', async () => {
  const { query, requests, latest } = makeSource<string>('shown twice');
  const [first] = [await use(query), await use(query)];
  await latest().fail(unreachable);
  await first.leave();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(2);
});

test('when the server can be reached again, what failed is requested at once, and only that', async () => {
  const [failed, fine] = [makeSource<string>('to retry'), makeSource<string>('not to retry')];
  await use(failed.query);
  await use(fine.query);
  await failed.latest().fail(unreachable);
  await fine.latest().answer('data');
  const retried = vi.fn<() => void>();
  const off = onRetry(retried);
  retryFailedData();
  retryFailedData();
  expect([failed.requests, fine.requests].map(({ length }) => length)).toEqual([2, 1]);
  await failed.latest().answer('data');
  expect(failed.requests).toHaveLength(2);
  expect(retried).toHaveBeenCalledTimes(2);
  off();
  retryFailedData();
  expect(retried).toHaveBeenCalledTimes(2);
});
