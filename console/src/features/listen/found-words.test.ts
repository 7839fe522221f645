import { describe, expect, test } from 'vitest';
import { runInSlices } from '../../lib/slices.ts';
import { findWords } from './found-words.ts';
import { linesOf } from './words.ts';

/** 100 lines of three words; a phrase begins in one line and ends in the next. */
const lines = linesOf({
  segments: Array.from({ length: 100 }, (_, row) => ({
    startMs: row * 3_000,
    endMs: row * 3_000 + 2_900,
    text: '',
    confidence: 90,
    isLanguageKnown: true,
    words: ['Gate,', `line${row}`, 'North'].map((text, at) => ({
      text,
      startMs: row * 3_000 + at * 900,
      endMs: row * 3_000 + at * 900 + 800,
      confidence: 90,
    })),
  })),
});

const findAll = async (searchText: string, from = 0) => {
  const found = new Set<number>();
  await runInSlices(findWords(lines, searchText, from, found), new AbortController().signal);
  return [...found].toSorted((a, b) => a - b);
};

describe('words that match a search', () => {
  test('are found in all lines, whichever line is searched first', async () => {
    for (const from of [-1, 0, 55, 99]) {
      expect(await findAll('line42 "line99"', from)).toEqual([127, 298]);
    }
  });

  test('are found as a phrase that continues in the next line, also where a step ends', async () => {
    const found = await findAll('"north gate"');
    // The first "gate" and the last "north" have no other half.
    expect(found).toHaveLength(2 * 99);
    expect(found).toContain(39 * 3 + 2);
    expect(found).toContain(40 * 3);
    expect(found).not.toContain(0);
  });

  test('near the shown line are found in the first step', () => {
    const found = new Set<number>();
    findWords(lines, 'line55', 55, found).next();
    expect([...found]).toEqual([55 * 3 + 1]);
  });

  test('are not found after the search was stopped', async () => {
    const found = new Set<number>();
    const stopping = new AbortController();
    stopping.abort();
    await runInSlices(findWords(lines, 'gate', 0, found), stopping.signal);
    expect(found.size).toBe(0);
  });
});
