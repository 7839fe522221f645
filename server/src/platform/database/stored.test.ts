import { expect, test } from 'vitest';
import { requireValue } from './stored.ts';

test.each([0, '', false])('%j is a value', (value) => {
  expect(requireValue(value, 'events.priority of a copy')).toBe(value);
});

test.each([undefined, null])('%j is missing, and the error names table and place', (value) => {
  expect(() => requireValue(value, 'events.key of a copy')).toThrow(new Error('events.key of a copy is missing'));
});
