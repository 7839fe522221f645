import { expect, test, vi } from 'vitest';

// The location is read when the module is loaded.
vi.stubGlobal('location', { pathname: '/timeline', search: '' });
const { dayToOpen } = await import('./open-at-latest.ts');

const now = Date.UTC(2026, 10, 16, 12);

test('the timeline opens at the latest clip, or at the last 24 hours if there are clips in them', () => {
  expect(dayToOpen(now - 3_600_000, now, 'UTC')).toBe('');
  expect(dayToOpen(now - 25 * 3_600_000, now, 'UTC')).toBe('2026-11-15');
  expect(dayToOpen(Date.UTC(2026, 10, 3, 23, 30), now, 'Asia/Kolkata')).toBe('2026-11-04');
  expect(dayToOpen(undefined, now, 'UTC')).toBe('');
});
