import { operationList } from '@earshot/contract/operations';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { callWithRetries, isRepeatable } from './call-retries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answer = (status: number, headers: Record<string, string> = {}) =>
  ApiError.from(new Response('', { status, headers }), '');
const lost = new TypeError('fetch failed');
const read = { operation: { repetition: 'harmless' }, body: undefined } as const;

/** Sends a call that fails with these errors, one after the other, and returns the times between its requests. */
async function send(errors: readonly unknown[], call: Parameters<typeof callWithRetries>[0] = read) {
  const left = [...errors];
  const timesMs: number[] = [];
  const result = callWithRetries(call, 20, undefined, async () => {
    timesMs.push(Date.now());
    if (left.length > 0) throw left.shift();
    return 'done';
  });
  result.catch(() => {});
  await vi.runAllTimersAsync();
  const gaps = timesMs.slice(1).map((time, index) => time - timesMs[index]!);
  return { gaps, outcome: await result.catch((error: unknown) => error) };
}

test('each delay is about twice the one before, at most half a minute', async () => {
  const { gaps, outcome } = await send(Array.from({ length: 12 }, () => lost));
  expect(outcome).toBe('done');
  for (const [index, gap] of gaps.entries()) {
    const usual = Math.min(250 * 2 ** index, 30_000);
    expect(gap).toBeGreaterThanOrEqual(0.75 * usual - 1);
    expect(gap).toBeLessThanOrEqual(1.25 * usual + 1);
  }
});

test('Retry-After is respected up to half a minute; who must wait longer is told', async () => {
  expect((await send([answer(429, { 'retry-after': '30' })])).gaps).toEqual([30_000]);
  const longer = answer(429, { 'retry-after': '31' });
  expect(await send([longer])).toEqual({ gaps: [], outcome: longer });
});

test.each([408, 502, 503, 504])('a read is repeated after %i', async (status) => {
  expect((await send([answer(status)])).outcome).toBe('done');
});

test.each([400, 404, 409, 500])('a read is not repeated after %i', async (status) => {
  expect((await send([answer(status)])).gaps).toEqual([]);
});

test('an error of the program itself is not repeated', async () => {
  expect((await send([new Error('no such field')])).gaps).toEqual([]);
});

test('a body that can be read once is sent once', async () => {
  const call = { ...read, body: new ReadableStream() };
  expect(await send([lost], call)).toEqual({ gaps: [], outcome: lost });
  expect((await send([lost], { ...call, body: new Blob() })).outcome).toBe('done');
});

test('an abort ends the wait', async () => {
  const stop = new AbortController();
  let count = 0;
  const result = callWithRetries(read, 3, stop.signal, async () => {
    count += 1;
    throw lost;
  });
  result.catch(() => {});
  await vi.advanceTimersByTimeAsync(100);
  stop.abort(new Error('stopped'));
  await expect(result).rejects.toThrow('stopped');
  expect(count).toBe(1);
});

test('what only reads may be repeated, whatever its method; what deletes or takes may not', () => {
  const named = (pattern: RegExp) => operationList.filter(([name]) => pattern.test(name));
  const repeatable = (list: typeof operationList) =>
    list.filter(([, operation]) => isRepeatable(operation)).map(([name]) => name);
  const reading = named(/^(list|find|search|count|extract|prove)(?!Rights)/);
  expect(repeatable(reading)).toEqual(reading.map(([name]) => name));
  expect(repeatable(operationList.filter(([, { method }]) => method === 'DELETE' || method === 'PATCH'))).toEqual([]);
  const announcing = ['announceAudioClip', 'announceAudioClips', 'createAudioClip', 'registerAgent'];
  expect(repeatable(named(new RegExp(`^(${announcing.join('|')})$`)))).toHaveLength(announcing.length);
  expect(repeatable(named(/^(reportEvent|changePassword|putAudioClipContent|dequeueEvent|createApiKey)$/))).toEqual([]);
});
