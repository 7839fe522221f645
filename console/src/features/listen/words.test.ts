import { describe, expect, test } from 'vitest';
import {
  countWords,
  doubtfulWords,
  doubtedLanguages,
  languageMark,
  timesMark,
  lineOfWord,
  linesOf,
  placeInText,
  stepAround,
  stepLine,
  stepWord,
  wordAt,
  wordOf,
} from './words.ts';

const word = (text: string, startMs: number, endMs: number, confidence = 90) => ({ text, startMs, endMs, confidence });
const words = [word('one', 1_000, 1_400), word('two', 1_500, 1_900, 69.9), word('two', 3_000, 3_300, 70)];
const line = { startMs: 1_000, endMs: 3_300, confidence: 90, isLanguageKnown: true, text: 'one two two' };
const lines = linesOf({ segments: [{ ...line, words }] });
/** The same words in two lines, with a line without words between them. */
const cut = linesOf({
  segments: [
    { ...line, words: words.slice(0, 2) },
    { ...line, startMs: 2_000, text: '', words: [], isLanguageKnown: false },
    { ...line, startMs: 3_000, words: words.slice(2) },
  ],
});

describe.each([
  ['in one line', lines],
  ['in lines', cut],
])('the word that is said, %s', (_name, shown) => {
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
    expect(wordAt(shown, ms)).toBe(place);
  });

  test('one word on and back, and back to the beginning of the one that is being said', () => {
    expect(stepWord(shown, 0, 1)).toBe(1_000);
    expect(stepWord(shown, 1_000, 1)).toBe(1_500);
    expect(stepWord(shown, 3_000, 1)).toBeUndefined();
    expect(stepWord(shown, 1_500, -1)).toBe(1_000);
    expect(stepWord(shown, 2_000, -1)).toBe(1_500);
    expect(stepWord(shown, 1_000, -1)).toBe(0);
    expect(stepWord([], 500, -1)).toBeUndefined();
  });

  test('a word is found by its index', () => {
    expect([0, 1, 2, 3].map((at) => wordOf(shown, at)?.text)).toEqual(['one', 'two', 'two', undefined]);
  });
});

test('one sentence on and back', () => {
  expect(stepLine(cut, 0, 1)).toBe(1_000);
  expect(stepLine(cut, 1_200, 1)).toBe(2_000);
  expect(stepLine(cut, 3_000, 1)).toBeUndefined();
  expect(stepLine(cut, 3_100, -1)).toBe(2_000);
  expect(stepLine(cut, 4_100, -1)).toBe(3_000);
  expect(stepLine(cut, 1_100, -1)).toBe(0);
});

test('lines know the place of their first word; one without words of its own is read as a whole', () => {
  const known = linesOf({
    segments: [
      { ...line, text: 'one two', words: words.slice(0, 2) },
      { ...line, text: 'a whole line', words: [], confidence: 40 },
      { ...line, text: '', words: [], isLanguageKnown: false },
      { ...line, text: 'two', words: words.slice(2) },
    ],
  });
  expect(known.map(({ first }) => first)).toEqual([0, 2, 3, 3]);
  expect(countWords(known)).toBe(4);
  expect([0, 1, 2, 3].map((at) => wordOf(known, at)?.text)).toEqual(['one', 'two', 'a whole line', 'two']);
  expect([0, 1, 2, 3].map((at) => lineOfWord(known, at))).toEqual([0, 0, 1, 3]);
  expect(doubtfulWords(known)).toEqual([1, 2]);
});

test('the next and previous of some words, around the end', () => {
  expect(stepAround([3, 7, 9], 3, 1)).toBe(7);
  expect(stepAround([3, 7, 9], 9, 1)).toBe(3);
  expect(stepAround([3, 7, 9], -1, 1)).toBe(3);
  expect(stepAround([3, 7, 9], 7, -1)).toBe(3);
  expect(stepAround([3, 7, 9], 2, -1)).toBe(9);
  expect(stepAround([], 2, -1)).toBeUndefined();
});

test('a word is found again in the text, the second as the second', () => {
  expect(placeInText('one, two and two.', lines, 2)).toBe(16);
  expect(placeInText('one, two and two.', lines, -1)).toBe(0);
  expect(placeInText('', [], 0)).toBe(0);
});

test('speech without words has a note, in place of words', () => {
  const unheard = { ...line, text: '', words: [] };
  const notes = linesOf({
    language: 'en',
    segments: [
      { ...unheard, isUnderstood: false },
      { ...unheard, isLanguageKnown: false, language: 'es' },
      { ...line, words, language: 'fr' },
      { ...line, words },
    ],
  }).map(({ note, language }) => [note, language]);
  expect(notes).toEqual([
    ['Speech not understood', undefined],
    ['Spanish, not transcribed', undefined],
    [undefined, 'French'],
    [undefined, undefined],
  ]);
});

test('words in doubt are shown with the language that the speech was taken for, and are no words of the transcript', () => {
  const said = { text: 'good', startMs: 0, endMs: 400, confidence: 90 };
  const doubted = { startMs: 0, endMs: 900, text: '', confidence: 0, isLanguageKnown: false, words: [] };
  const unconfirmed = { language: 'en', words: [said, { ...said, text: 'day' }] };
  const caption = { language: 'zh', isLanguageKnown: false, segments: [{ ...doubted, unconfirmed }, doubted] };
  expect(linesOf(caption).map(({ note, unconfirmed: text, words: own }) => [note, text, own.length])).toEqual([
    ['Perhaps Chinese', { text: 'good day', language: 'en' }, 0],
    ['Chinese, not transcribed', undefined, 0],
  ]);
  expect(doubtedLanguages(caption)).toEqual(['en', 'zh']);
  expect(languageMark(caption)).toBe('Language unsure');
});

test('the language of a transcript is named unless it is the usual one', () => {
  expect(languageMark({ language: 'en', isLanguageKnown: true })).toBeUndefined();
  expect(languageMark({ language: 'en-GB' })).toBeUndefined();
  expect(languageMark({ language: 'es', isLanguageKnown: true })).toBe('Spanish');
  expect(languageMark({ language: 'es', isLanguageKnown: false })).toBe('Spanish, not transcribed');
  // A caption from before languages were decided.
  expect(languageMark({ isLanguageKnown: false })).toBe('Not understood');
});

test('estimated times have a mark', () => {
  const segment = { startMs: 0, endMs: 900, text: 'one', confidence: 90, isLanguageKnown: true, words: [] };
  const estimated = { ...segment, isTimed: false };
  expect(timesMark({ isTimed: true, segments: [segment] })).toBeUndefined();
  expect(timesMark({ segments: [segment] })).toBeUndefined();
  expect(timesMark({ isTimed: false, segments: [estimated, estimated] })).toBe('Times estimated');
  expect(timesMark({ isTimed: false, segments: [estimated, segment] })).toBe('Some times estimated');
  // A person corrected some words.
  expect(timesMark({ isTimed: false, segments: [segment] })).toBe('Some times estimated');
});
