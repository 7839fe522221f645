import { describe, expect, test } from 'vitest';
import { judgeConditions, rangeApplies } from './conditions.ts';

const etag = '"abc"';
const lastModified = new Date('2026-11-15T01:10:00.700Z');
const [before, at, after] = [
  'Sun, 15 Nov 2026 01:09:59 GMT',
  'Sun, 15 Nov 2026 01:10:00 GMT',
  'Sun, 15 Nov 2026 01:10:01 GMT',
];
const judge = (headers: Record<string, string>) => judgeConditions(headers, { etag, lastModified });

describe('alone', () => {
  test.each([
    [{}, 'proceed'],
    [{ 'if-match': '"abc"' }, 'proceed'],
    [{ 'if-match': '"x", "abc"' }, 'proceed'],
    [{ 'if-match': '*' }, 'proceed'],
    [{ 'if-match': '"x"' }, 'failed'],
    // A weak tag does not identify the exact bytes.
    [{ 'if-match': 'W/"abc"' }, 'failed'],
    [{ 'if-match': 'abc' }, 'failed'],
    [{ 'if-match': '' }, 'failed'],
    [{ 'if-none-match': '"abc"' }, 'not modified'],
    [{ 'if-none-match': 'W/"abc"' }, 'not modified'],
    [{ 'if-none-match': '"x","abc"' }, 'not modified'],
    [{ 'if-none-match': '*' }, 'not modified'],
    [{ 'if-none-match': '"x"' }, 'proceed'],
    [{ 'if-none-match': '"a,b", "c"' }, 'proceed'],
    [{ 'if-none-match': 'abc' }, 'proceed'],
    [{ 'if-modified-since': before }, 'proceed'],
    [{ 'if-modified-since': at }, 'not modified'],
    [{ 'if-modified-since': after }, 'not modified'],
    [{ 'if-unmodified-since': before }, 'failed'],
    [{ 'if-unmodified-since': at }, 'proceed'],
    [{ 'if-unmodified-since': after }, 'proceed'],
  ])('%j: %s', (headers, verdict) => {
    expect(judge(headers)).toBe(verdict);
  });
});

describe('dates', () => {
  test.each(['Sunday, 15-Nov-26 01:10:00 GMT', 'Sun Nov 15 01:10:00 2026'])(
    'in the obsolete format %s are accepted',
    (text) => {
      expect(judge({ 'if-modified-since': text })).toBe('not modified');
    },
  );

  test.each([
    'yesterday',
    '2026-11-15T01:10:00Z',
    '',
    'Sun, 15 Nov 2026 01:10:00 +0100',
    'Sun, 99 Nov 2026 01:10:00 GMT',
  ])('"%s" is not a date and is ignored', (text) => {
    expect(judge({ 'if-modified-since': text })).toBe('proceed');
    expect(judge({ 'if-unmodified-since': text })).toBe('proceed');
  });
});

describe('together, in the order of RFC 9110, 13.2.2', () => {
  test.each([
    [{ 'if-match': '"abc"', 'if-unmodified-since': before }, 'proceed'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed'],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'not modified'],
    [{ 'if-none-match': '"x"', 'if-modified-since': after }, 'proceed'],
    [{ 'if-none-match': '"abc"', 'if-modified-since': before }, 'not modified'],
    [{ 'if-unmodified-since': before, 'if-modified-since': after }, 'failed'],
    [{ 'if-unmodified-since': after, 'if-modified-since': after }, 'not modified'],
  ])('%j: %s', (headers, verdict) => {
    expect(judge(headers)).toBe(verdict);
  });
});

describe('a range counts', () => {
  test.each([
    [undefined, true],
    ['"abc"', true],
    [at, true],
    ['W/"abc"', false],
    ['"x"', false],
    [before, false],
    [after, false],
    ['nonsense', false],
    ['', false],
  ])('with If-Range %s: %s', (condition, applies) => {
    const headers = condition === undefined ? {} : { 'if-range': condition };
    expect(rangeApplies(headers, { etag, lastModified })).toBe(applies);
  });
});
