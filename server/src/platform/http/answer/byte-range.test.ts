import { describe, expect, test } from 'vitest';
import { contentRange, readByteRange } from './byte-range.ts';

describe('a range of 1,000 bytes', () => {
  test.each([
    ['bytes=0-499', 0, 500],
    ['bytes=500-999', 500, 1000],
    ['bytes=999-999', 999, 1000],
    ['bytes=500-', 500, 1000],
    ['bytes=0-', 0, 1000],
    ['bytes=-1', 999, 1000],
    ['bytes=-500', 500, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=900-5000', 900, 1000],
    ['bytes= 3-5 ', 3, 6],
    ['Bytes=3-5', 3, 6],
    ['bytes=0-99999999999999999999999', 0, 1000],
  ])('%s is from %d to %d', (header, start, end) => {
    expect(readByteRange(header, 1000)).toEqual({ start, end });
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s cannot be satisfied',
    (header) => {
      expect(readByteRange(header, 1000)).toBe('unsatisfiable');
    },
  );

  test.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-3',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes=+1-2',
    'bytes=0x1-5',
    'bytes=1.5-3',
    'bytes=0-1,3-4',
    'bytes=0-1,',
    'items=0-5',
    'bytes:0-5',
  ])('%s is not a range, and the whole content is sent', (header) => {
    expect(readByteRange(header, 1000)).toBeUndefined();
  });
});

test('an empty content has no ranges, and a suffix range is the whole', () => {
  expect(readByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readByteRange('bytes=-5', 0)).toBeUndefined();
});

test('Content-Range names the last byte', () => {
  expect(contentRange({ start: 0, end: 500 }, 1000)).toBe('bytes 0-499/1000');
});
