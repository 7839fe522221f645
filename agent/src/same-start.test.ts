import { expect, test, vi } from 'vitest';
import { JournalState } from './journal-state.ts';
import { recordFacts } from './record-facts.ts';

test('a card of a recorder without a clock, where all files have one date, is recorded in linear time', () => {
  const state = new JournalState();
  const has = vi.spyOn(state.starts, 'has');
  const count = 2_000;
  for (let at = 0; at < count; at++) {
    const sha256 = String(at).padStart(64, '0');
    const found = { path: `/${at}.wav`, bytes: 44, startMs: 1_000, modifiedMs: 1, isOwn: false, sha256 };
    for (const fact of recordFacts(state, [found])) state.apply(fact);
  }
  const starts = [...state.entries.values()].map(({ startMs }) => startMs);
  expect(starts).toEqual(Array.from({ length: count }, (_, at) => 1_000 + at));
  expect(has.mock.calls.length).toBeLessThan(4 * count);
});
