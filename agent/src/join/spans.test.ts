import { expect, test } from 'vitest';
import { placeSpans, planSpans } from './spans.ts';

const pieces = [
  { startMs: 0, endMs: 1_000 },
  { startMs: 2_000, endMs: 5_000 },
  { startMs: 3_000, endMs: 4_000 },
];

test('of pieces that overlap the newer one is heard, and the older one continues after it', () => {
  expect(planSpans(pieces, 0, 10_000)).toEqual([
    { piece: 0, startMs: 0, endMs: 1_000 },
    { piece: 1, startMs: 2_000, endMs: 3_000 },
    { piece: 2, startMs: 3_000, endMs: 4_000 },
    { piece: 1, startMs: 4_000, endMs: 5_000 },
  ]);
  expect(planSpans(pieces, 500, 2_500)).toEqual([
    { piece: 0, startMs: 500, endMs: 1_000 },
    { piece: 1, startMs: 2_000, endMs: 2_500 },
  ]);
  expect(planSpans(pieces, 6_000, 7_000)).toEqual([]);
});

test('gaps are kept or closed, without rounding errors that add up', () => {
  const spans = planSpans(pieces, 0, 10_000);
  expect(placeSpans(spans, 'silence', 8_000).map(({ at, samples }) => [at, samples])).toEqual([
    [0, 8_000],
    [16_000, 8_000],
    [24_000, 8_000],
    [32_000, 8_000],
  ]);
  expect(placeSpans(spans, 'close', 8_000).map(({ at }) => at)).toEqual([0, 8_000, 16_000, 24_000]);
  const odd = Array.from({ length: 3_000 }, (_, piece) => ({ piece, startMs: piece * 7, endMs: piece * 7 + 7 }));
  const last = placeSpans(odd, 'close', 11_025).at(-1)!;
  expect(last.at + last.samples).toBe(Math.round(21 * 11_025));
});
