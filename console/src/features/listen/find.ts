import type { Edits, WordEdit } from './edits.ts';
import { editWord, editedText, noEdits } from './edits.ts';
import type { Line } from './words.ts';
import { wordOf } from './words.ts';

/** A match in the words of a transcript: from an offset in its first word to an offset in its last word. */
export interface TextMatch {
  readonly first: number;
  readonly from: number;
  readonly last: number;
  readonly to: number;
}

export interface FindOptions {
  readonly isWholeWord: boolean;
}

/** Lower case, unless that changes the length: offsets must stay valid. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}

const letter = /[\p{L}\p{N}]/u;

/** All matches, without overlaps. Case is ignored. A match may continue over several words and lines. */
export function findInTranscript(
  lines: readonly Line[],
  edits: Edits,
  wanted: string,
  { isWholeWord }: FindOptions,
): readonly TextMatch[] {
  const needle = lower(wanted.replaceAll(/\s+/gu, ' ').trim());
  if (needle === '') return [];
  const texts: string[] = [];
  const indexes: number[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const { words, first } of lines) {
    for (let at = 0; at < words.length; at++) {
      const text = lower(editedText(edits, first + at, words[at]!.text));
      if (text === '') continue;
      texts.push(text);
      indexes.push(first + at);
      starts.push(length);
      length += text.length + 1;
    }
  }
  const text = texts.join(' ');
  const matches: TextMatch[] = [];
  let word = 0;
  const wordAt = (place: number): number => {
    while (word + 1 < starts.length && starts[word + 1]! <= place) word += 1;
    return word;
  };
  for (let at = text.indexOf(needle); at !== -1;) {
    const end = at + needle.length;
    const isPart = letter.test(text[at - 1] ?? '') || letter.test(text[end] ?? '');
    if (isWholeWord && isPart) {
      at = text.indexOf(needle, at + 1);
      continue;
    }
    const first = wordAt(at);
    const last = wordAt(end - 1);
    matches.push({ first: indexes[first]!, from: at - starts[first]!, last: indexes[last]!, to: end - starts[last]! });
    at = text.indexOf(needle, end);
  }
  return matches;
}

/** Replaces matches. If the new text has as many words as the match, each word keeps its own time. */
export function replaceMatches(
  lines: readonly Line[],
  edits: Edits,
  matches: readonly TextMatch[],
  replacement: string,
): Edits {
  const textAt = (at: number) => wordOf(lines, at)?.text ?? '';
  const changed = new Map(edits);
  const pieces = replacement.split(/\s+/u).filter((piece) => piece !== '');
  // From the end, so that the offsets of earlier matches in the same word stay valid.
  for (const { first, from, last, to } of matches.toReversed()) {
    const all = range(first, last).filter((at) => editedText(changed, at, textAt(at)) !== '');
    const head = editedText(changed, first, textAt(first)).slice(0, from);
    const tail = editedText(changed, last, textAt(last)).slice(to);
    const isSameCount = pieces.length === all.length && pieces.length > 1;
    for (const [index, at] of all.entries()) {
      const middle = isSameCount ? pieces[index]! : index === 0 ? pieces.join(' ') : '';
      const isLast = isSameCount ? index === all.length - 1 : index === 0;
      set(changed, lines, at, `${index === 0 ? head : ''}${middle}${isLast ? tail : ''}`);
    }
  }
  return changed;
}

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function set(edits: Map<number, WordEdit>, lines: readonly Line[], at: number, text: string): void {
  const one = editWord(noEdits, lines, at, text).get(at);
  if (one) edits.set(at, one);
  else edits.delete(at);
}
