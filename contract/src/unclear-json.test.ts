import { expect, test } from 'vitest';
import { findUnclear } from './unclear-json.ts';

test('JSON that everybody reads in the same way is clear', () => {
  const value = {
    a: [
      { b: 1, c: 'a "b": {', d: [] },
      { b: -1.5, c: '\\' },
    ],
    b: { a: {}, b: null },
    c: 1e21,
    d: true,
  };
  expect(findUnclear(JSON.stringify(value))).toBeUndefined();
  expect(findUnclear(JSON.stringify(value, undefined, 2))).toBeUndefined();
});

test('a field that stands twice is named with its place', () => {
  expect(findUnclear('{"a":[1,{"b":1,"c":{"b":1},"b":1}]}')).toBe('the field a.1.b stands twice');
  expect(findUnclear(String.raw`{"a\"":1,"a\u0022":2}`)).toBe('the field a" stands twice');
  expect(findUnclear('{"__proto__":1,"__proto__":2}')).toBe('the field __proto__ stands twice');
});

test('a number that is read as another one is named', () => {
  expect(findUnclear('{"a":9007199254740993}')).toBe('the number 9007199254740993 of a is read as 9007199254740992');
  expect(findUnclear('{"a":[1,1.0]}')).toBe('the number 1.0 of a.1 is read as 1');
});

test('long strings and deep nesting are read', () => {
  expect(findUnclear(`{"a":"${'\\n'.repeat(2_000_000)}","a":1}`)).toBe('the field a stands twice');
  expect(findUnclear('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
});
