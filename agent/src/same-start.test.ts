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

test('a file that an agent before 0.2 recorded and that only got another date is no other recording', () => {
  const state = new JournalState();
  const found = { path: '/20260101_100000.wav', bytes: 44, startMs: 1_000, modifiedMs: 1, isOwn: false };
  for (const fact of recordFacts(state, [found])) state.apply(fact);
  state.apply({ uploaded: found.path });
  // A card with local time, after the change to winter time.
  const sha256 = 'a'.repeat(64);
  for (const fact of recordFacts(state, [{ ...found, modifiedMs: 3_600_001, sha256 }])) state.apply(fact);
  expect([...state.entries.values()]).toMatchObject([{ isUploaded: true, modifiedMs: 3_600_001, sha256 }]);
  for (const fact of recordFacts(state, [{ ...found, modifiedMs: 9, startMs: 5_000, sha256: 'b'.repeat(64) }]))
    state.apply(fact);
  expect(state.entries.size).toBe(2);
});
