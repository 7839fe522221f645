import { expect, test } from 'vitest';
import { beginEntry, keep, keepOnce, keptValue, newEntryID } from './kept.ts';

test('each entry of the history has its own values, and finds them again', () => {
  const [list, clip] = [newEntryID(), newEntryID()];
  beginEntry(list);
  keep('pages', 3);
  const feed = keepOnce('feed', 'all', () => ({ clips: 450 }));
  beginEntry(clip);
  expect(keptValue('pages')).toBeUndefined();
  beginEntry(list);
  expect(keptValue('pages')).toBe(3);
  expect(keepOnce('feed', 'all', () => ({ clips: 0 }))).toBe(feed);
  // Another filter on the same entry replaces it.
  expect(keepOnce('feed', 'owls', () => ({ clips: 2 }))).toEqual({ clips: 2 });
  expect(keepOnce('feed', 'all', () => ({ clips: 9 }))).toEqual({ clips: 9 });
});

test('the entries that were shown longest ago are forgotten', () => {
  const first = newEntryID();
  beginEntry(first);
  keep('pages', 3);
  const others = Array.from({ length: 40 }, newEntryID);
  for (const id of others) beginEntry(id);
  beginEntry(first);
  expect(keptValue('pages')).toBe(3);
  for (const id of Array.from({ length: 60 }, newEntryID)) beginEntry(id);
  beginEntry(first);
  expect(keptValue('pages')).toBeUndefined();
});
