import {
  containsSimilar,
  findMatch,
  findPlaces,
  findTermRanges,
  longestMatchOf,
  readSequences,
  readTerms,
  touchesEdge,
  findTimedPlaces,
  readText,
  readWords,
} from '@earshot/contract/words/public';
import type { Extent, WordRange } from '@earshot/contract/words/public';

/* Finds where a text matches a search, with the rules of the contract. */

export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Sorts ranges and merges overlapping ones. */
function mergeRanges(ranges: readonly WordRange[]): readonly WordRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Splits a text into matching and other parts. A match covers whole words; a phrase is one part. */
export function markParts(text: string, searchText: string, extent: Extent = 'parts'): readonly Part[] {
  const words = readWords(text);
  const parts: Part[] = [];
  let written = 0;
  const add = (to: number, isMatch: boolean) => {
    if (to > written) parts.push({ text: text.slice(written, to), isMatch });
    written = Math.max(written, to);
  };
  for (const [first, last] of mergeRanges(findTermRanges(words, readTerms(searchText, extent)))) {
    add(words[first]!.from, false);
    add(words[last]!.to, true);
  }
  add(text.length, false);
  return parts;
}

/** Indexes of the matching words of a transcript. */
export function matchedWords(
  transcript: string,
  timed: readonly { readonly text: string }[],
  searchText: string,
): ReadonlySet<number> {
  const words = readWords(transcript);
  const matched = findPlaces(words, readTerms(searchText)).map((place) => words[place]!);
  return new Set(findTimedPlaces(transcript, timed, matched));
}

/** Whether a text matches. The server decides about the clip, because it has the whole transcript. */
export const mayMatch = (text: string, searchText: string): boolean =>
  findMatch(readText(text), readTerms(searchText)) !== undefined;

/** Whether a text may change the results: it matches, matches by similar words, or together with a neighbouring clip. */
export function mayChangeResults(text: string, searchText: string): boolean {
  const terms = readTerms(searchText);
  return containsSimilar(text, terms) || touchesEdge(text, readSequences(terms, searchText));
}

/** A search needs at least one letter or digit. */
export const isSearchable = (searchText: string): boolean => readTerms(searchText).length > 0;

/** The number of words of the longest match. */
export const longestMatch = (searchText: string): number => longestMatchOf(readTerms(searchText));
