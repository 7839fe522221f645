import { describe, expect, test } from 'vitest';
import { editWord, moveEdits, noEdits, writeTranscript } from './edits.ts';
import { linesOf } from './words.ts';

const says = (text: string, startMs = 1_000) =>
  linesOf({
    segments: text.split('\n').map((line, row) => {
      const at = startMs + row * 10_000;
      const words = line.split(/\s+/u).filter(Boolean);
      const timed = words.map((word, index) => ({
        text: word,
        startMs: at + index * 500,
        endMs: at + index * 500 + 400,
        confidence: 90,
      }));
      return { startMs: at, endMs: at + 9_000, text: line, words: timed, confidence: 90, isLanguageKnown: true };
    }),
  });

const lines = says('the fairy to the island\nthe fairy is late');
const transcript = '\n the  fairy to the island\n\nthe fairy is late ';
const edit = (...changes: readonly (readonly [at: number, text: string])[]) =>
  changes.reduce((edits, [at, text]) => editWord(edits, lines, at, text), noEdits);

describe('a word is corrected', () => {
  test('alone: all other words and white space stay', () => {
    expect(writeTranscript(transcript, lines, edit([6, 'ferry']))).toBe(
      '\n the  fairy to the island\n\nthe ferry is late ',
    );
  });

  test('into several words, or removed with its space', () => {
    expect(writeTranscript(transcript, lines, edit([1, ' ferry   boat\n'], [3, ''], [8, '']))).toBe(
      '\n the  ferry boat to island\n\nthe fairy is ',
    );
  });

  test('back to what it was: nothing is changed', () => {
    expect(edit([1, 'ferry'], [1, ' fairy ']).size).toBe(0);
    const edits = edit([1, 'ferry']);
    expect(editWord(edits, lines, 1, 'ferry')).toBe(edits);
    expect(editWord(edits, lines, 99, 'ferry')).toBe(edits);
  });

  test('in a transcript that does not contain it: the text is written from the words', () => {
    expect(writeTranscript('something else', lines, edit([1, 'ferry'], [2, '']))).toBe(
      'the ferry the island the fairy is late',
    );
  });
});

describe('corrections of an older version', () => {
  const mine = edit([1, 'ferry'], [6, 'boat'], [8, 'early']);

  test('move to the same words of the new version', () => {
    const theirs = says('now the fairy to the island\nthe fairy is late');
    const { edits, unplaced } = moveEdits(mine.values(), theirs);
    expect(unplaced).toEqual([]);
    expect([...edits.values()].map(({ at, text }) => [at, text])).toEqual([
      [2, 'ferry'],
      [7, 'boat'],
      [9, 'early'],
    ]);
  });

  test('are listed if their word is gone, unless it already is what was meant', () => {
    const theirs = says('the ferry to the island\nthe ship is late');
    const { edits, unplaced } = moveEdits(mine.values(), theirs);
    expect([...edits.values()].map(({ at, text }) => [at, text])).toEqual([[8, 'early']]);
    expect(unplaced.map(({ was, text }) => [was, text])).toEqual([['fairy', 'boat']]);
  });

  test('do not move to the same word at another time', () => {
    const { edits, unplaced } = moveEdits(edit([6, 'boat']).values(), says('the fairy to the island'));
    expect(edits.size).toBe(0);
    expect(unplaced).toHaveLength(1);
  });

  test('of equal words beside each other each find their own', () => {
    const twice = says('no no no');
    const both = editWord(editWord(noEdits, twice, 0, 'know'), twice, 1, 'now');
    const { edits } = moveEdits(both.values(), says('no no no', 1_100));
    expect([...edits.values()].map(({ at, text }) => [at, text])).toEqual([
      [0, 'know'],
      [1, 'now'],
    ]);
  });
});
