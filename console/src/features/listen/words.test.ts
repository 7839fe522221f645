import { describe, expect, test } from 'vitest';
import { linesOf, placeInText, wordAt, stepWord, wordsOf } from './words.ts';

const word = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, confidence: 90 });
const words = [word('one', 1_000, 1_400), word('two', 1_500, 1_900), word('two', 3_000, 3_300)];

describe('the word that is said', () => {
  test.each([
    [0, -1],
    [999, -1],
    [1_000, 0],
    [1_450, 0],
    [1_500, 1],
    [2_200, 1],
    [2_600, -1],
    [3_000, 2],
    [9_000, -1],
  ])('at %d ms is the one at place %d', (ms, place) => {
    expect(wordAt(words, ms)).toBe(place);
  });
});

test('one word on and back, and back to the beginning of the one that is being said', () => {
  expect(stepWord(words, 0, 1)).toBe(1_000);
  expect(stepWord(words, 1_000, 1)).toBe(1_500);
  expect(stepWord(words, 3_000, 1)).toBeUndefined();
  expect(stepWord(words, 1_500, -1)).toBe(1_000);
  expect(stepWord(words, 2_000, -1)).toBe(1_500);
  expect(stepWord(words, 1_000, -1)).toBe(0);
  expect(stepWord([], 500, -1)).toBeUndefined();
});

test('lines know the place of their first word; one without words of its own is read as a whole', () => {
  const line = { startMs: 0, endMs: 900, confidence: 90, isLanguageKnown: true };
  const lines = linesOf({
    segments: [
      { ...line, text: 'one two', words: words.slice(0, 2) },
      { ...line, text: 'a whole line', words: [] },
      { ...line, text: '', words: [], isLanguageKnown: false },
      { ...line, text: 'two', words: words.slice(2) },
    ],
  });
  expect(lines.map(({ first }) => first)).toEqual([0, 2, 3, 3]);
  expect(wordsOf(lines).map(({ text }) => text)).toEqual(['one', 'two', 'a whole line', 'two']);
});

test('a word is found again in the text, the second as the second', () => {
  expect(placeInText('one, two and two.', words, 2)).toBe(16);
  expect(placeInText('one, two and two.', words, -1)).toBe(0);
  expect(placeInText('', [], 0)).toBe(0);
});
