import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimedClip } from './lane-data.ts';
import { LaneData } from './lane-data.ts';
import { Spans } from './spans.ts';

const clip = fc.record({ start: fc.integer({ min: 0, max: 300 }), length: fc.integer({ min: 0, max: 60 }) });
const clips = fc.array(clip, { maxLength: 40 }).map((list) =>
  list
    .map(({ start, length }, key): TimedClip => ({
      key,
      start,
      end: start + length,
      status: key % 6,
      file: 0,
      isCaptioned: key % 2 === 0,
    }))
    .toSorted((a, b) => a.start - b.start),
);
const inTwo = fc.tuple(clips, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }));

const dataOf = (list: readonly TimedClip[]): LaneData => {
  const data = new LaneData();
  data.merge(list, []);
  return data;
};

/** A simple reference implementation, millisecond by millisecond. */
const isCovered = (list: readonly TimedClip[], time: number) =>
  list.some(({ start, end }) => time >= start && time < end);
const coveredIn = (list: readonly TimedClip[], from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => from + at).filter((time) => isCovered(list, time)).length;

describe('what the timeline draws', () => {
  test('covers exactly what the clips cover, however they overlap', () => {
    fc.assert(
      fc.property(clips, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 100 }), (list, from, length) => {
        const spans = dataOf(list).layer('recorded');
        expect(spans.covered(from, from + length)).toBe(coveredIn(list, from, from + length));
      }),
    );
  });

  test('has in each column the share of its time, for every layer', () => {
    fc.assert(
      fc.property(clips, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 30 }), (list, from, perColumn) => {
        const shares = new Float32Array(12);
        dataOf(list).layer('here').shares(from, perColumn, shares);
        const here = list.filter(({ status }) => status === 3);
        const expected = Array.from(shares, (_, column) =>
          coveredIn(here, from + column * perColumn, from + (column + 1) * perColumn),
        );
        expect(Array.from(shares, (share) => Math.round(share * perColumn))).toEqual(expected);
      }),
    );
  });

  test('is the same whichever way the clips came, and a clip that comes again is there once', () => {
    fc.assert(
      fc.property(inTwo, ([list, sides]) => {
        const data = dataOf(list.filter((_clip, index) => sides[index]));
        data.merge(list, []);
        expect([...data.starts]).toEqual(list.map(({ start }) => start));
        expect([...data.keys].toSorted((a, b) => a - b)).toEqual(list.map(({ key }) => key).toSorted((a, b) => a - b));
        data.remove(new Set(list.map(({ key }) => key)));
        expect(data.count).toBe(0);
      }),
    );
  });

  test('finds the clips of a range and the clip at a moment', () => {
    fc.assert(
      fc.property(clips, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 100 }), (list, from, length) => {
        const data = dataOf(list);
        const overlapping = list.filter(({ start, end }) => start < from + length && (end > from || start >= from));
        expect(data.within(from, from + length).map((index) => data.starts[index])).toEqual(
          overlapping.map(({ start }) => start),
        );
        expect(data.at(from) !== undefined).toBe(isCovered(list, from));
      }),
    );
  });

  test('a moment without length still shows', () => {
    const shares = new Float32Array(4);
    Spans.of(Float64Array.of(15), Float64Array.of(15), () => true).shares(0, 10, shares);
    expect(Array.from(shares, (share) => share > 0)).toEqual([false, true, false, false]);
  });

  test('marks follow their clips', () => {
    const data = dataOf([{ key: 1, start: 0, end: 10, status: 0, file: 0, isCaptioned: false }]);
    data.merge([], [{ time: 5, clip: 1, name: 'dog' }]);
    expect(data.marksWithin(0, 6).map(({ name }) => name)).toEqual(['dog']);
    data.merge([{ key: 1, start: 0, end: 10, status: 3, file: 0, isCaptioned: false }], []);
    expect(data.marks).toEqual([]);
  });
});
