import { ApiError } from '@earshot/client/api-error';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTransient, RetryTimer } from './retry-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answer = (status: number, headers: Record<string, string> = {}) =>
  ApiError.from(new Response('', { status, headers }), '');

test('a server that was not reached, is busy or failed may answer later; a refusal stays one', () => {
  expect(isTransient(new TypeError('Failed to fetch'))).toBe(true);
  expect([408, 429, 500, 503].map((status) => isTransient(answer(status)))).toEqual([true, true, true, true]);
  expect([400, 401, 403, 404, 409].some((status) => isTransient(answer(status)))).toBe(false);
  expect(isTransient(undefined)).toBe(false);
});

test('retries come later and later, at most every 30 seconds, and soon again after a success', () => {
  const tries: number[] = [];
  const began = Date.now();
  const timer = new RetryTimer(() => {
    tries.push((Date.now() - began) / 1_000);
    timer.start(new TypeError('Failed to fetch'));
  });
  timer.start(new TypeError('Failed to fetch'));
  vi.advanceTimersByTime(100_000);
  expect(tries).toEqual([1, 3, 7, 15, 31, 61, 91]);
  timer.reset();
  vi.advanceTimersByTime(100_000);
  expect(tries).toHaveLength(7);
  timer.start(new TypeError('Failed to fetch'));
  vi.advanceTimersByTime(1_000);
  expect(tries).toHaveLength(8);
});

test('Retry-After is respected', () => {
  let isCalled = false;
  const timer = new RetryTimer(() => (isCalled = true));
  timer.start(answer(429, { 'retry-after': '20' }));
  vi.advanceTimersByTime(19_000);
  expect(isCalled).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(isCalled).toBe(true);
});
