import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDateTime } from './date-time.ts';

const at = (text: string): string | undefined => parseDateTime(text)?.toISOString();

const instant = '2026-11-15T01:10:00.000Z';

describe('reads', () => {
  test.each([
    ['2026-11-15T01:10:00Z', instant],
    ['2026-11-15T01:10Z', instant],
    ['2026-11-15t01:10:00z', instant],
    ['2026-11-15T02:10:00+01:00', instant],
    ['2026-11-15T02:10:00+0100', instant],
    ['2026-11-15T02:10:00+01', instant],
    ['2026-11-14T15:10:00-10:00', instant],
    ['2026-11-15T06:55:00+05:45', instant],
    ['2026-11-15T01:10:00-00:00', instant],
    ['2026-11-16T01:09:00+23:59', instant],
  ])('the offset of %s', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  test.each([
    ['.1', '.100'],
    ['.12', '.120'],
    ['.123', '.123'],
    [',123', '.123'],
    ['.1239', '.123'],
    ['.1234567', '.123'],
    ['.0009999', '.000'],
  ])('the fraction %s, as far as milliseconds go', (fraction, expected) => {
    expect(at(`2026-11-15T01:10:00${fraction}Z`)).toBe(`2026-11-15T01:10:00${expected}Z`);
  });

  test('29 February in leap years', () => {
    for (const year of ['2024', '2000', '0004']) expect(at(`${year}-02-29T00:00:00Z`)).toBeDefined();
    for (const year of ['2026', '1900', '2100']) expect(at(`${year}-02-29T00:00:00Z`)).toBeUndefined();
  });

  test('years below 100 as they are', () => {
    expect(at('0099-06-01T00:00:00Z')).toBe('0099-06-01T00:00:00.000Z');
  });

  test('any text that Date writes, exactly', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(dates, (date) => parseDateTime(date.toISOString())?.getTime() === date.getTime()));
  });

  test('the same instant in any offset', () => {
    const dates = fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    const offsets = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    fc.assert(
      fc.property(dates, offsets, (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const two = (part: number) => String(Math.trunc(Math.abs(part))).padStart(2, '0');
        const text = `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
        return parseDateTime(text)?.getTime() === date.getTime();
      }),
    );
  });
});

describe('refuses', () => {
  test.each([
    '',
    'now',
    '2026-11-15',
    '2026-11-15T01:10:00',
    '2026-11-15T01Z',
    '2026-11-15 01:10:00Z',
    '2026-11-15T01:10:00.Z',
    '2026-11-15T01:10:00.12345678Z',
    '2026-11-15T01:10.5Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T01:60:00Z',
    '2026-11-15T01:10:60Z',
    '2026-11-31T01:10:00Z',
    '2026-02-30T01:10:00Z',
    '2026-00-01T01:10:00Z',
    '2026-13-01T01:10:00Z',
    '2026-11-00T01:10:00Z',
    '2026-11-15T01:10:00+24:00',
    '2026-11-15T01:10:00+01:60',
    '2026-11-15T01:10:00+01:',
    '2026-11-15T01:10:00+1:00',
    '2026-11-15T01:10:00Z+01:00',
    '2026-11-15T01:10:00ZZ',
    ' 2026-11-15T01:10:00Z',
    '2026-11-15T01:10:00Z\n',
    '26-11-15T01:10:00Z',
    '12026-11-15T01:10:00Z',
    '-2026-11-15T01:10:00Z',
    '٢٠٢٦-11-15T01:10:00Z',
  ])('%j', (text) => {
    expect(at(text)).toBeUndefined();
  });

  test('what an offset pushes off the calendar', () => {
    expect(at('0001-01-01T00:00:00+00:01')).toBeUndefined();
    expect(at('0001-01-01T00:01:00+00:01')).toBe('0001-01-01T00:00:00.000Z');
    expect(at('9999-12-31T23:59:59.999-00:01')).toBeUndefined();
    expect(at('9999-12-31T23:59:59.999Z')).toBeDefined();
    expect(at('0000-06-01T00:00:00Z')).toBeUndefined();
  });

  test('any text that is not one, without failing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseDateTime(text) === undefined));
  });
});
