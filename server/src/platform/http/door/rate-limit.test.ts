import { describe, expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

/** A limit with a clock of its own. */
function startLimit(requestsPerSecond: number) {
  const clock = { ms: 0 };
  const limit = createRateLimit(requestsPerSecond, () => clock.ms);
  const granted = (subject: string, tries: number) => {
    let count = 0;
    for (let attempt = 0; attempt < tries; attempt++) {
      try {
        limit.take(subject);
        count += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'tooMany', status: 429, headers: { 'retry-after': '1' } });
      }
    }
    return count;
  };
  return { clock, limit, granted };
}

describe('a limit of 10 a second', () => {
  test('grants ten at once and no more', () => {
    expect(startLimit(10).granted('a', 25)).toBe(10);
  });

  test('grants again over time, never more than one second’s worth', () => {
    const { clock, granted } = startLimit(10);
    granted('a', 10);
    clock.ms += 99;
    expect(granted('a', 5)).toBe(0);
    clock.ms += 1;
    expect(granted('a', 5)).toBe(1);
    clock.ms += 450;
    expect(granted('a', 10)).toBe(4);
    clock.ms += 3_600_000;
    expect(granted('a', 50)).toBe(10);
  });

  test('counts each subject separately', () => {
    const { granted } = startLimit(10);
    granted('a', 10);
    expect([granted('b', 10), granted('a', 1)]).toEqual([10, 0]);
  });

  test('can be checked without counting', () => {
    const { limit, granted } = startLimit(10);
    for (let time = 0; time < 100; time++) limit.requireLeft('a');
    expect(granted('a', 20)).toBe(10);
    expect(() => limit.requireLeft('a')).toThrow(expect.objectContaining({ code: 'tooMany' }) as Error);
  });

  test('grants no more than the rate and one burst over a long time', () => {
    const { clock, granted } = startLimit(10);
    let count = 0;
    for (let step = 0; step < 1_000; step++) {
      clock.ms += 10;
      count += granted('a', 3);
    }
    expect(count).toBeGreaterThanOrEqual(100);
    expect(count).toBeLessThanOrEqual(110);
  });
});

describe('very many subjects', () => {
  test('do not use unlimited memory: idle ones are removed, active ones are kept', () => {
    const { clock, granted } = startLimit(10);
    for (let subject = 0; subject < 100_000; subject++) granted(`idle ${subject}`, 1);
    clock.ms += 2_000;
    granted('active', 10);
    granted('new', 1);
    expect(granted('active', 1)).toBe(0);
  });
});

test('0 means no limit', () => {
  expect(startLimit(0).granted('a', 10_000)).toBe(10_000);
});
