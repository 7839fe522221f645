import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Word } from '../../../platform/listening/engine.ts';
import { keepWordTimes } from './word-times.ts';
import { matchWords } from './word-diff.ts';

const timed = (texts: readonly string[]): Word[] =>
  texts.map((text, at) => ({ text, startMs: at * 100, endMs: at * 100 + 90, confidence: 50 }));

const text = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'The', 'the,', 'fox');

test('any rewritten text: its words are returned in time order, and kept words keep their times', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.array(text, { maxLength: 30 }), (former, later) => {
      const words = keepWordTimes(later.join(' '), timed(former), 5_000);
      expect(words.map((word) => word.text)).toEqual(later);
      for (const [at, { startMs, endMs }] of words.entries()) {
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        expect(startMs).toBeGreaterThanOrEqual(words[at - 1]?.endMs ?? 0);
      }
      const matches = [...matchWords(former, later)];
      const kept = matches.filter((match) => match >= 0);
      expect(kept).toEqual([...new Set(kept)].toSorted((a, b) => a - b));
      for (const [at, match] of matches.entries()) {
        if (match >= 0) expect(bare(later[at])).toBe(bare(former[match]));
      }
    }),
    { numRuns: 500 },
  );
});

const bare = (word = '') => word.toLowerCase().replace(',', '');

test('a text that did not change keeps every time', () => {
  const former = timed(['the', 'the', 'fox', 'the', 'fox']);
  expect(keepWordTimes('The the, fox the fox.', former, 500).map(({ startMs }) => startMs)).toEqual([
    0, 100, 200, 300, 400,
  ]);
});

test('only words that were changed are certain', () => {
  const former = timed(['the', 'quick', 'fox', 'the', 'end']);
  const words = keepWordTimes('The quick brown fox the end', former, 500);
  expect(words.map((word) => [word.text, word.confidence])).toEqual([
    ['The', 100],
    ['quick', 50],
    ['brown', 100],
    ['fox', 50],
    ['the', 50],
    ['end', 50],
  ]);
});

test('adding or removing a word keeps the times of all others', () => {
  const texts = Array.from({ length: 2_000 }, (_, at) => `w${at % 700}`);
  const former = timed(texts);
  const added = keepWordTimes([...texts.slice(0, 1_000), 'new', ...texts.slice(1_000)].join(' '), former, 0);
  expect(added[1_000]).toMatchObject({ text: 'new', startMs: 99_990, endMs: 100_000 });
  expect(added[1_500]).toMatchObject({ startMs: 149_900 });
  const removed = keepWordTimes(texts.toSpliced(1_000, 1).join(' '), former, 0);
  expect(removed[1_500]).toMatchObject({ startMs: 150_100 });
});

test('two long texts that share only common words are compared', () => {
  const many = (words: readonly string[]) => Array.from({ length: 60_000 }, (_, at) => words[at % words.length]!);
  const words = keepWordTimes(many(['x', 'a', 'b']).join(' '), timed(many(['y', 'b', 'a', 'c'])), 0);
  expect(words).toHaveLength(60_000);
});
