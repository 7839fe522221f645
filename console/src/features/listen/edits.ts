import type { Line } from './words.ts';
import { lastStartedWord, wordOf } from './words.ts';

/** A word that a person changed: an empty text removes it, a text with spaces makes it several words. */
export interface WordEdit {
  /** Index of the word in the version that is corrected. */
  readonly at: number;
  readonly was: string;
  readonly startMs: number;
  readonly text: string;
}

export type Edits = ReadonlyMap<number, WordEdit>;

export const noEdits: Edits = new Map();

/** The text of a word after the edits. */
export const editedText = (edits: Edits, at: number, text: string): string => edits.get(at)?.text ?? text;

export function editWord(edits: Edits, lines: readonly Line[], at: number, text: string): Edits {
  const word = wordOf(lines, at);
  const clean = text.replaceAll(/\s+/gu, ' ').trim();
  if (!word || editedText(edits, at, word.text) === clean) return edits;
  const next = new Map(edits);
  if (clean === word.text) next.delete(at);
  else next.set(at, { at, was: word.text, startMs: word.startMs, text: clean });
  return next;
}

const joinWords = (lines: readonly Line[], edits: Edits): string =>
  lines
    .flatMap(({ words, first }) => words.map(({ text }, index) => editedText(edits, first + index, text)))
    .filter((text) => text !== '')
    .join(' ');

/** Words in a row that may be missing in the transcript, before the transcript is written from the words instead. */
const mostMissing = 20;

/** The transcript after the edits. White space between other words stays as it is. */
export function writeTranscript(transcript: string, lines: readonly Line[], edits: Edits): string {
  const parts: string[] = [];
  let [read, written, missing, left] = [0, 0, 0, edits.size];
  for (const { words, first } of lines) {
    for (let index = 0; left > 0 && index < words.length; index++) {
      const { text } = words[index]!;
      const edit = edits.get(first + index);
      const from = transcript.indexOf(text, read);
      missing = from < 0 ? missing + 1 : 0;
      if (missing > mostMissing || (edit && from < 0)) return joinWords(lines, edits);
      if (from < 0) continue;
      read = from + text.length;
      if (!edit) continue;
      left -= 1;
      parts.push(transcript.slice(written, from), edit.text);
      // A removed word takes the space after it along.
      if (edit.text === '' && /\s/u.test(transcript[read] ?? '')) read += 1;
      written = read;
    }
  }
  parts.push(transcript.slice(written));
  return parts.join('');
}

/** How far a word may have moved in another version. */
const mostWordsMoved = 20;
const mostMsMoved = 2_000;

interface Rebased {
  readonly edits: Edits;
  /** Edits of words that the other version does not have. */
  readonly unplaced: readonly WordEdit[];
}

/** Moves edits to another version of the transcript: to the same words at the same times. */
export function moveEdits(edits: Iterable<WordEdit>, lines: readonly Line[]): Rebased {
  const moved = new Map<number, WordEdit>();
  const unplaced: WordEdit[] = [];
  for (const edit of edits) {
    const near = wordsNear(lines, edit);
    const at = near.find((place) => !moved.has(place) && wordOf(lines, place)?.text === edit.was);
    const firstText = edit.text.split(' ')[0];
    if (at !== undefined) moved.set(at, { ...edit, at, startMs: wordOf(lines, at)!.startMs });
    else if (!near.some((place) => wordOf(lines, place)?.text === firstText)) unplaced.push(edit);
  }
  return { edits: moved, unplaced };
}

/** Indexes of the words around a time, nearest first. */
function wordsNear(lines: readonly Line[], { startMs }: WordEdit): readonly number[] {
  const middle = lastStartedWord(lines, startMs);
  const distance = (at: number) => Math.abs((wordOf(lines, at)?.startMs ?? Number.POSITIVE_INFINITY) - startMs);
  return Array.from({ length: 2 * mostWordsMoved + 1 }, (_, index) => middle - mostWordsMoved + index)
    .filter((at) => distance(at) <= mostMsMoved)
    .toSorted((a, b) => distance(a) - distance(b));
}
