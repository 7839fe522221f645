import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { placeStretches, planStretches } from './timeline.ts';

const span = (startMs: number, endMs: number) => ({ startMs, endMs });

describe('which piece is heard', () => {
  test('neighbours follow each other, in any order of input', () => {
    expect(planStretches([span(10, 20), span(0, 10)], 0, 100)).toEqual([
      { piece: 1, startMs: 0, endMs: 10 },
      { piece: 0, startMs: 10, endMs: 20 },
    ]);
  });

  test('an earlier piece is cut where a later one begins', () => {
    expect(planStretches([span(0, 15), span(10, 20)], 0, 100)).toEqual([
      { piece: 0, startMs: 0, endMs: 10 },
      { piece: 1, startMs: 10, endMs: 20 },
    ]);
  });

  test('an earlier piece continues after a later one that ends before it', () => {
    expect(planStretches([span(0, 30), span(10, 20)], 5, 25)).toEqual([
      { piece: 0, startMs: 5, endMs: 10 },
      { piece: 1, startMs: 10, endMs: 20 },
      { piece: 0, startMs: 20, endMs: 25 },
    ]);
  });

  test('of two pieces that begin together the longer one is heard', () => {
    expect(planStretches([span(0, 30), span(0, 10)], 0, 100)).toEqual([{ piece: 0, startMs: 0, endMs: 30 }]);
  });

  test('is always the one that began last', () => {
    const time = fc.integer({ min: 0, max: 60 });
    const spans = fc.array(fc.tuple(time, fc.integer({ min: 0, max: 20 })), { maxLength: 8 });
    fc.assert(
      fc.property(spans, time, time, (drawn, fromMs, toMs) => {
        const pieces = drawn.map(([start, length]) => span(start, start + length));
        const stretches = planStretches(pieces, fromMs, toMs);
        for (let now = -1; now <= 81; now += 1) {
          const heard = stretches.filter(({ startMs, endMs }) => startMs <= now && now < endMs);
          const covering = pieces.filter(({ startMs, endMs }) => startMs <= now && now < endMs);
          const isExpected = covering.length > 0 && fromMs <= now && now < toMs;
          expect(heard).toHaveLength(isExpected ? 1 : 0);
          if (!isExpected) continue;
          const latest = Math.max(...covering.map(({ startMs }) => startMs));
          expect(pieces[heard[0]!.piece]).toMatchObject({ startMs: latest });
        }
        expect(stretches).toEqual(stretches.toSorted((a, b) => a.startMs - b.startMs));
      }),
    );
  });
});

describe('the position of a piece', () => {
  const pieces = [span(1000, 2000), span(2003, 3000)];
  const stretches = planStretches(pieces, 1500, 2500);

  test('with silence between pieces', () => {
    expect(placeStretches(stretches, pieces, 'silence', 44_100)).toEqual({
      placed: [
        { piece: 0, at: 0, length: 22_050, sourceAt: 22_050 },
        { piece: 1, at: 22_182, length: 21_918, sourceAt: 0 },
      ],
      total: 44_100,
    });
  });

  test('with gaps closed', () => {
    expect(placeStretches(stretches, pieces, 'close', 44_100)).toEqual({
      placed: [
        { piece: 0, at: 0, length: 22_050, sourceAt: 22_050 },
        { piece: 1, at: 22_050, length: 21_918, sourceAt: 0 },
      ],
      total: 43_968,
    });
  });

  test('parts of one piece fit together to the sample after any number of interruptions', () => {
    const long = span(0, 10_000);
    const short = Array.from({ length: 50 }, (_, index) => span(100 + 173 * index, 101 + 173 * index));
    const all = [long, ...short];
    const { placed } = placeStretches(planStretches(all, 7, 9001), all, 'silence', 11_025);
    const offsets = placed.filter(({ piece }) => piece === 0).map(({ at, sourceAt }) => at - sourceAt);
    expect(new Set(offsets).size).toBe(1);
  });
});
