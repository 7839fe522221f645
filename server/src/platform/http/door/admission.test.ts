import { Refusal } from '../../../errors.ts';
import { expect, test } from 'vitest';
import { createAdmission } from './admission.ts';

function openAdmission(most: number) {
  const clock = { ms: 0 };
  let turn = 0;
  // Evenly from 0 to 1.
  const random = () => ((turn += 1) % 100) / 100;
  const counts = { turnedAway: 0 };
  const onTurnedAway = () => void (counts.turnedAway += 1);
  return { clock, counts, admission: createAdmission({ most, nowMs: () => clock.ms, random, onTurnedAway }) };
}

function retryAfter(enter: () => unknown): number {
  try {
    enter();
  } catch (error) {
    if (error instanceof Refusal) return Number(error.headers['retry-after']);
  }
  throw new Error('it was not turned away');
}

test('so many are at work at once; when one has its answer, the next enters', () => {
  const { admission, counts } = openAdmission(2);
  const leave = admission.enter();
  admission.enter();
  expect(() => admission.enter()).toThrow(Refusal);
  leave();
  leave();
  expect(admission.atWork).toBe(1);
  admission.enter();
  expect(() => admission.enter()).toThrow(Refusal);
  expect(counts.turnedAway).toBe(2);
});

test('who is turned away comes again at different times, later the more there are, at most after ten minutes', () => {
  const { admission } = openAdmission(1);
  admission.enter();
  const first = Array.from({ length: 2 }, () => retryAfter(() => admission.enter()));
  expect(Math.max(...first)).toBeLessThanOrEqual(2);
  const herd = Array.from({ length: 100 }, () => retryAfter(() => admission.enter()));
  expect(new Set(herd).size).toBeGreaterThan(30);
  for (let count = 0; count < 5_000; count += 1) retryAfter(() => admission.enter());
  const last = Array.from({ length: 100 }, () => retryAfter(() => admission.enter()));
  expect(Math.max(...last)).toBeGreaterThan(500);
  expect(Math.max(...last)).toBeLessThanOrEqual(600);
  expect(Math.min(...last)).toBeGreaterThanOrEqual(1);
});

test('the times are shorter the more the node answers, and short again when the herd is gone', () => {
  const { admission, clock } = openAdmission(1);
  for (let count = 0; count < 1_000; count += 1) admission.enter()();
  admission.enter();
  for (let count = 0; count < 1_000; count += 1) retryAfter(() => admission.enter());
  // 1,000 in ten seconds were answered: the 1,000 that were turned away need as long.
  const soon = Array.from({ length: 100 }, () => retryAfter(() => admission.enter()));
  expect(Math.max(...soon)).toBeGreaterThan(8);
  expect(Math.max(...soon)).toBeLessThanOrEqual(13);
  clock.ms = 60_000;
  expect(retryAfter(() => admission.enter())).toBeLessThanOrEqual(2);
});
