import { expect, test } from 'vitest';
import { findOptions } from './find-options.ts';

test('options are found by any part, those that start with it first', () => {
  const options = ['night owl', 'Owl', 'dog', 'owlet'].map((label) => ({ value: label, label }));
  expect(findOptions(options, ' owl ').map(({ label }) => label)).toEqual(['Owl', 'owlet', 'night owl']);
  expect(findOptions(options, '')).toBe(options);
  expect(findOptions(options, 'cat')).toEqual([]);
});
