import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { readTextValue, readTextValues } from './path-values.ts';

describe('a value in a path or a query', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('%s is a boolean', (text, value) => {
    expect(readTextValue('boolean', text)).toBe(value);
  });

  test.each(['', 'TRUE', 'yes', 'on', '2', '01', ' true', 'constructor', '__proto__', 'toString'])(
    '%j is none, and handed on for validation to name',
    (text) => {
      expect(readTextValue('boolean', text)).toBe(text);
    },
  );

  test.each([
    ['5', 5],
    ['-5', -5],
    ['007', 7],
    ['9007199254740991', 9_007_199_254_740_991],
    ['99999999999999999', 100_000_000_000_000_000],
  ])('%s is an integer', (text, value) => {
    expect(readTextValue('integer', text)).toBe(value);
  });

  test.each(['', '5.0', '1e3', '+5', '0x5', ' 5', '5 ', '--5', '-', '٥', 'NaN', 'Infinity', '9'.repeat(18)])(
    '%j is none',
    (text) => {
      expect(readTextValue('integer', text)).toBe(text);
    },
  );

  test('is a number with or without a fraction, and text otherwise', () => {
    expect([readTextValue('number', '2.5'), readTextValue('number', '-3')]).toEqual([2.5, -3]);
    for (const text of ['.5', '5.', '1e3', 'NaN']) expect(readTextValue('number', text)).toBe(text);
    expect([readTextValue('string', '5'), readTextValue(undefined, 'true')]).toEqual(['5', 'true']);
  });

  test('is read as its declaration says; others are left out', () => {
    const schema = Type.Object({
      id: Type.Integer(),
      all: Type.Optional(Type.Boolean()),
      text: Type.Optional(Type.String()),
    });
    expect(readTextValues(schema, { id: '5', all: 'True', other: 'x' })).toEqual({ id: 5, all: true });
    expect(readTextValues(schema, { text: '' })).toEqual({ text: '' });
  });
});
