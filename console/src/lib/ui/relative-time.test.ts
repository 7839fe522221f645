import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const now = Date.UTC(2026, 10, 15, 12);
const second = 1_000;
const hour = 3_600 * second;

test.each([
  [10 * second, 'just now'],
  [-2 * second, 'just now'],
  [61 * second, '1 min ago'],
  [59 * 60 * second, '59 min ago'],
  [hour, '1 h ago'],
  [25 * hour, '1 day ago'],
  [6 * 24 * hour, '6 days ago'],
  [8 * 24 * hour, '7 Nov'],
  [400 * 24 * hour, '11 Oct 2025'],
  [-30 * second, 'in less than a minute'],
  [-2 * hour, 'in 2 h'],
])('%i ms ago is %s', (ago, text) => {
  expect(relativeTime(new Date(now - ago), now)).toBe(text);
});
