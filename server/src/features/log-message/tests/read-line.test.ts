import { expect, test } from 'vitest';
import { guessLevel, readLogDate } from '../read-line.ts';

test.each([
  ['started', 'info'],
  ['', 'info'],
  ['Recorded 12 clips', 'info'],
  ['Upload failed, trying again', 'error'],
  ['an error occurred', 'error'],
  ['ValueError: no such file', 'error'],
  ['Traceback (most recent call last):', 'error'],
  ['Warning: the disk is nearly full', 'warning'],
  ['debug: 12 frames', 'debug'],
  // The level that a logger states counts more than words.
  ['2026-11-15 01:10:00 INFO the last run had no error', 'info'],
  ['[DEBUG] retry after error', 'debug'],
  ['recorder WARN upload failed', 'warning'],
  ['AudioAgent:1 CRITICAL out of memory', 'error'],
  [`${'x'.repeat(100)} INFO: an error`, 'error'],
  // Parts of words do not count.
  ['terrorise the INFORMATION desk', 'info'],
  ['the mirrored debugger', 'info'],
] as const)('the level of %j is %s', (message, level) => {
  expect(guessLevel(message)).toBe(level);
});

test.each([
  ['2026-11-15T01:10:00.123Z', '2026-11-15T01:10:00.123Z'],
  // As Python's str() writes a date.
  ['2026-11-15 01:10:00.123456+00:00', '2026-11-15T01:10:00.123Z'],
  ['2026-11-15 02:10:00+01:00', '2026-11-15T01:10:00.000Z'],
  ['2026-11-15 01:10:00', '2026-11-15T01:10:00.000Z'],
  ['2026-03-30T12:00:00.0000000Z', '2026-03-30T12:00:00.000Z'],
])('the date %j is read', (text, expected) => {
  expect(readLogDate(text)?.toISOString()).toBe(expected);
});

test.each([undefined, '', 'yesterday', '1970-01-01T00:00:05Z', '2099-01-01T00:00:00Z', '2026-02-30 01:00:00'])(
  'the date %j cannot be right and is left out',
  (text) => {
    expect(readLogDate(text)).toBeUndefined();
  },
);
