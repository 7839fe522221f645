import { describe, expect, test } from 'vitest';
import { parseTerms, writeTerm } from './terms.ts';

test('terms are read line by line, with their other forms', () => {
  expect(parseTerms('Quayside = key side, kay side\n\n  Engine 96\r\nquayside=keyside')).toEqual([
    { term: 'quayside', spokenAs: ['keyside'] },
    { term: 'Engine 96', spokenAs: [] },
  ]);
});

test('a term is written as it is read', () => {
  const term = { term: 'Quayside', spokenAs: ['key side', 'kay side'] };
  expect(parseTerms(writeTerm(term))).toEqual([term]);
  expect(writeTerm({ term: 'Engine 96' })).toBe('Engine 96');
});

describe.each([
  ['', 'Enter at least one term.'],
  ['Gate\n= form', 'Line 2: a term needs a letter or a digit.'],
  ['Gate\n…', 'Line 2: a term needs a letter or a digit.'],
  ['x'.repeat(61), 'Line 1: a term has at most 60 characters.'],
  [`Gate = ${'abcdefghijk'.split('').join(',')}`, 'Line 1: a term has at most 10 other forms.'],
])('%j', (text, problem) => {
  test('is refused with the reason', () => expect(parseTerms(text)).toEqual({ problem }));
});
