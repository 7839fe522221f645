import { expect, test } from 'vitest';
import { createDrafts } from './drafts.ts';

function makeStore(mostCharacters = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem(key: string, value: string) {
      if (value.length > mostCharacters) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
}

test('a draft is read back by its user and name, and by nobody else', () => {
  const drafts = createDrafts(makeStore(), () => 5_000);
  expect(drafts.write(7, 'clip 1', { text: 'mine' })).toBe(true);
  expect(drafts.read(7, 'clip 1')).toEqual({ savedAt: 5_000, value: { text: 'mine' } });
  expect(drafts.read(8, 'clip 1')).toBeUndefined();
  expect(drafts.read(7, 'clip 12')).toBeUndefined();
  drafts.remove(7, 'clip 1');
  expect(drafts.read(7, 'clip 1')).toBeUndefined();
});

test('signing out removes the drafts of this user only, and nothing else', () => {
  const store = makeStore();
  const drafts = createDrafts(store);
  store.setItem('theme', 'dark');
  drafts.write(1, 'a', 1);
  drafts.write(1, 'b', 2);
  drafts.write(11, 'a', 3);
  drafts.removeAll(1);
  expect([...store.items.keys()]).toEqual(['theme', 'earshot draft 11 a']);
});

test('the oldest drafts make space for a new one', () => {
  let now = 0;
  const drafts = createDrafts(makeStore(), () => ++now);
  const large = 'x'.repeat(900_000);
  for (const name of ['first', 'second', 'third']) expect(drafts.write(1, name, large)).toBe(true);
  expect(['first', 'second', 'third'].map((name) => drafts.read(1, name) !== undefined)).toEqual([false, true, true]);
  for (let number = 0; number < 60; number++) drafts.write(2, `small ${number}`, number);
  expect(drafts.read(1, 'third')).toBeUndefined();
  expect(drafts.read(2, 'small 59')?.value).toBe(59);
  expect(drafts.read(2, 'small 9')).toBeUndefined();
});

test('a draft that is too large, or that the browser refuses, is not kept', () => {
  expect(createDrafts(makeStore()).write(1, 'a', 'x'.repeat(2_000_001))).toBe(false);
  expect(createDrafts(makeStore(100)).write(1, 'a', 'x'.repeat(101))).toBe(false);
});

test('what is no draft is not read', () => {
  const store = makeStore();
  store.items.set('earshot draft 1 a', '{');
  store.items.set('earshot draft 1 b', '"text"');
  const drafts = createDrafts(store);
  expect([drafts.read(1, 'a'), drafts.read(1, 'b')]).toEqual([undefined, undefined]);
});
