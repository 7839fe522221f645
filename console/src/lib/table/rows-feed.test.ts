import { expect, test } from 'vitest';
import type { PageRequest } from './rows-feed.ts';
import { RowsFeed } from './rows-feed.ts';

const keyOf = ({ key }: { readonly key: number }): number => key;

/** A table of so many rows, and how many were asked for at once. */
function createTable(total: number) {
  const counts: number[] = [];
  const load = ({ count, cursor }: PageRequest) => {
    counts.push(count);
    const from = Number(cursor ?? 0);
    const results = Array.from({ length: Math.min(count, total - from) }, (_, at) => ({ key: from + at }));
    const next = from + count < total ? { next: String(from + count) } : {};
    return Promise.resolve({ results, total, isExact: true, ...next });
  };
  return { counts, feed: new RowsFeed(load, keyOf) };
}

test('loads as many rows again as there were, also more than a request may have', async () => {
  const { counts, feed } = createTable(2_600);
  await feed.reach(2_500);
  expect(feed.rows.length).toBeGreaterThanOrEqual(2_500);
  const before = feed.rows.length;
  counts.length = 0;
  await feed.reload();
  expect(feed.rows.map(keyOf)).toEqual(Array.from({ length: before }, (_, at) => at));
  expect(Math.max(...counts)).toBe(1_000);
  await feed.reach(2_600);
  expect(feed.rows).toHaveLength(2_600);
});

test('a short list is loaded again by one request', async () => {
  const { counts, feed } = createTable(40);
  await feed.reach(1);
  counts.length = 0;
  await feed.reload();
  expect(counts).toEqual([100]);
  expect(feed.rows).toHaveLength(40);
});
