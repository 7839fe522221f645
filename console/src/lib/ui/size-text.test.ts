import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 KB'],
  [99_949, '99.9 KB'],
  [99_950, '100 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [1_450_000, '1.4 MB'],
  [480_000_000, '480 MB'],
  [2_500_000_000_000, '2.5 TB'],
  [5_000_000_000_000_000, '5000 TB'],
])('%i is %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
