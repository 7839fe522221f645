import { describe, expect, test } from 'vitest';
import type { Edits } from './edits.ts';
import { editWord, noEdits, writeTranscript } from './edits.ts';
import { findInTranscript, replaceMatches } from './find.ts';
import { linesOf } from './words.ts';

const rows = ['Jon, Jon and Jonathan', 'saw the harbor', 'master, the HARBOR master. Jo-Jon'];
const lines = linesOf({
  segments: rows.map((text, row) => ({
    startMs: row * 10_000,
    endMs: row * 10_000 + 9_000,
    text,
    confidence: 90,
    isLanguageKnown: true,
    words: text.split(' ').map((word, at) => ({
      text: word,
      startMs: row * 10_000 + at * 500,
      endMs: row * 10_000 + at * 500 + 400,
      confidence: 90,
    })),
  })),
});
const transcript = rows.join(' ');
const find = (text: string, isWholeWord = false, edits: Edits = noEdits) =>
  findInTranscript(lines, edits, text, { isWholeWord });
const replace = (text: string, by: string, isWholeWord = false, edits: Edits = noEdits) =>
  replaceMatches(lines, edits, find(text, isWholeWord, edits), by);
const written = (edits: Edits) => writeTranscript(transcript, lines, edits);

describe('matches', () => {
  test('are found in any case, in parts of words, or in whole words only', () => {
    expect(find('jon').map(({ first, from }) => [first, from])).toEqual([
      [0, 0],
      [1, 0],
      [3, 0],
      [11, 3],
    ]);
    expect(find('jon', true).map(({ first }) => first)).toEqual([0, 1, 11]);
    expect(find('  ')).toEqual([]);
    expect(find('nobody')).toEqual([]);
  });

  test('continue over words and lines', () => {
    expect(find(' harbor  Master')).toEqual([
      { first: 6, from: 0, last: 7, to: 6 },
      { first: 9, from: 0, last: 10, to: 6 },
    ]);
  });

  test('are those of the edited words', () => {
    const edits = editWord(editWord(noEdits, lines, 1, 'Bob'), lines, 2, '');
    expect(find('jon', true, edits).map(({ first }) => first)).toEqual([0, 11]);
    expect(find('bob jonathan', false, edits)).toEqual([{ first: 1, from: 0, last: 3, to: 8 }]);
  });

  test('do not overlap', () => {
    const same = linesOf({
      segments: [
        {
          startMs: 0,
          endMs: 900,
          text: 'aaaa',
          confidence: 90,
          isLanguageKnown: true,
          words: [{ ...lines[0]!.words[0]!, text: 'aaaa' }],
        },
      ],
    });
    expect(findInTranscript(same, noEdits, 'aa', { isWholeWord: false })).toHaveLength(2);
  });
});

describe('replacing', () => {
  test('keeps the signs around a word', () => {
    expect(written(replace('jon', 'John', true))).toBe(
      'John, John and Jonathan saw the harbor master, the HARBOR master. Jo-John',
    );
  });

  test('a phrase with as many words changes each word, so that each keeps its time', () => {
    const edits = replace('harbor master', 'harbour pilot');
    expect([...edits.values()].map(({ at, text }) => [at, text]).toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
      [
        [6, 'harbour'],
        [7, 'pilot,'],
        [9, 'harbour'],
        [10, 'pilot.'],
      ],
    );
  });

  test('a phrase with more or fewer words, or nothing', () => {
    expect(written(replace('the harbor master', 'she'))).toBe('Jon, Jon and Jonathan saw she, she. Jo-Jon');
    expect(written(replace('jon and', ''))).toBe('Jon, Jonathan saw the harbor master, the HARBOR master. Jo-Jon');
    expect(written(replace('harbor', 'harbour and port'))).toBe(
      'Jon, Jon and Jonathan saw the harbour and port master, the harbour and port master. Jo-Jon',
    );
  });

  test('two matches in one word, and a text that is replaced again', () => {
    expect(written(replace('jo', 'Mo'))).toBe('Mon, Mon and Monathan saw the harbor master, the HARBOR master. Mo-Mon');
    const once = replace('jon', 'Jonjon', true);
    expect(written(replace('jonjon', 'Jon', true, once))).toBe(transcript);
  });

  test('by the same text changes nothing', () => {
    expect(replace('Jonathan', 'Jonathan').size).toBe(0);
  });
});
