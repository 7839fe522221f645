import { expect, test } from 'vitest';
import { aboutText, countText } from './count-text.ts';

test('counts have thousands separators, estimates two figures', () => {
  expect(countText(1, 'clip')).toBe('1 clip');
  expect(countText(1_001, 'clip')).toBe('1,001 clips');
  expect(countText(2, 'entry', 'entries')).toBe('2 entries');
  expect(aboutText(52_998, 'clip')).toBe('About 53,000 clips');
  expect(aboutText(1_449, 'clip')).toBe('About 1,400 clips');
});
