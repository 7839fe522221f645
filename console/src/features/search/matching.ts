import type { WordRange } from '@earshot/contract/search-words';
import {
  containsPhrases,
  findPlaces,
  findRanges,
  findTimedPlaces,
  readPhrases,
  readWords,
} from '@earshot/contract/search-words';

/* Shows where a text matches a search, as the contract says what that means. */

export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** In order, and in one where they overlap. */
function mergeRanges(ranges: readonly WordRange[]): readonly WordRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** A text in parts, by whether they match: whole words, and phrases in one. */
export function markParts(text: string, searchText: string): readonly Part[] {
  const words = readWords(text);
  const parts: Part[] = [];
  let written = 0;
  const add = (to: number, isMatch: boolean) => {
    if (to > written) parts.push({ text: text.slice(written, to), isMatch });
    written = Math.max(written, to);
  };
  for (const [first, last] of mergeRanges(findRanges(words, readPhrases(searchText)))) {
    add(words[first]!.from, false);
    add(words[last]!.to, true);
  }
  add(text.length, false);
  return parts;
}

/** The places of the words that match, among those of a transcript. */
export function matchedWords(
  transcript: string,
  timed: readonly { readonly text: string }[],
  searchText: string,
): ReadonlySet<number> {
  const words = readWords(transcript);
  const matched = findPlaces(words, readPhrases(searchText)).map((place) => words[place]!);
  return new Set(findTimedPlaces(transcript, timed, matched));
}

/** Whether a text matches. The server knows whether a clip does: it may have more text than is known here. */
export const mayMatch = (text: string, searchText: string): boolean => containsPhrases(text, readPhrases(searchText));

/** Without a letter or a digit there is nothing to look for. */
export const isSearchable = (searchText: string): boolean => readPhrases(searchText).length > 0;
