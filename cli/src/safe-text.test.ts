import { expect, test } from 'vitest';
import { safeJson, safeText } from './safe-text.ts';

test.each([
  ['North gate', 'North gate'],
  ['Nördlicher Hof 北門 🎙️', 'Nördlicher Hof 北門 🎙️'],
  ['a\u001B[31mred\u001B[0m', String.raw`a\x1b[31mred\x1b[0m`],
  ['title \u001B]0;owned\u0007', String.raw`title \x1b]0;owned\x07`],
  ['two\nlines\r\tand a tab', String.raw`two\nlines\r\tand a tab`],
  ['c1 \u009B31m', String.raw`c1 \x9b31m`],
  ['\u202Egnp.exe', String.raw`\u202egnp.exe`],
  ['line\u2028separator', String.raw`line\u2028separator`],
  ['half \uD800 pair', String.raw`half \ud800 pair`],
])('%j is printed as %s', (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test('JSON stays the same value, without control characters', () => {
  const value = { name: 'a\u009B31m\u202Eb\u001B[2J\u2028' };
  expect(safeJson(value)).toBe(String.raw`{"name":"a\u009b31m\u202eb\u001b[2J\u2028"}`);
  expect(JSON.parse(safeJson(value))).toEqual(value);
});
