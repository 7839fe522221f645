import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQueryText, singleValues } from './query-text.ts';

const invalid = (path: string) =>
  expect.objectContaining({ code: 'invalid', errors: [expect.objectContaining({ path })] }) as Error;

describe('a query', () => {
  test.each([
    ['/a', []],
    ['/a?', []],
    ['/a?&&', []],
    ['/a?b', [['b', '']]],
    ['/a?b=', [['b', '']]],
    ['/a?=b', [['', 'b']]],
    ['/a?b=c=d', [['b', 'c=d']]],
    [
      '/a?b=c&b=d&a=1',
      [
        ['b', 'c'],
        ['b', 'd'],
        ['a', '1'],
      ],
    ],
    ['/a?b=c?d', [['b', 'c?d']]],
    ['/a?b+c=d%20e%2B', [['b c', 'd e+']]],
    ['/a?%C3%A9=%F0%9F%8E%99', [['é', '🎙']]],
  ])('%s is parsed', (url, pairs) => {
    expect(parseQueryText(url)).toEqual(pairs);
  });

  test.each([
    ['/a?b=%', 'b'],
    ['/a?b=%zz', 'b'],
    ['/a?b=%ff', 'b'],
    ['/a?b=1&c=%c0%af', 'c'],
    ['/a?%zz=1', 'a parameter name'],
  ])('%s is refused with the name of the parameter', (url, path) => {
    expect(() => parseQueryText(url)).toThrow(invalid(path));
  });

  test('is parsed as URLSearchParams wrote it', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        expect(parseQueryText(`/a?${new URLSearchParams(pairs).toString()}`)).toEqual(pairs);
      }),
    );
  });
});

describe('its values', () => {
  const declared = { all: {}, text: {} };

  test('are limited to the declared ones', () => {
    expect(
      singleValues(
        [
          ['all', '1'],
          ['other', 'x'],
          ['__proto__', 'x'],
          ['toString', 'x'],
        ],
        declared,
      ),
    ).toEqual({ all: '1' });
  });

  test('must be given once; undeclared ones may be repeated', () => {
    expect(() =>
      singleValues(
        [
          ['all', '1'],
          ['all', '1'],
        ],
        declared,
      ),
    ).toThrow(invalid('all'));
    expect(
      singleValues(
        [
          ['x', '1'],
          ['x', '2'],
        ],
        declared,
      ),
    ).toEqual({});
  });

  test('can be stored', () => {
    expect(() => singleValues([['text', 'a\0']], declared)).toThrow(invalid('text'));
  });
});
