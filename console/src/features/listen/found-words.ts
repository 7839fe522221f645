import { longestMatch, matchedWords } from '../../lib/search-match.ts';
import type { Line } from './words.ts';

/** Lines that are searched in one step. */
const step = 40;

/**
 * Adds the indexes of the words that match a search to a set, step by step: first the lines from the given one on, then
 * the lines before it.
 */
export function* findWords(
  lines: readonly Line[],
  searchText: string,
  from: number,
  found: Set<number>,
): Generator<void, void> {
  const begin = Math.floor(Math.max(0, from) / step) * step;
  // A phrase or a number may continue in the next lines.
  const overlap = longestMatch(searchText) - 1;
  const starts = [];
  for (let at = begin; at < lines.length; at += step) starts.push(at);
  for (let at = 0; at < begin; at += step) starts.push(at);
  for (const start of starts) {
    const own = lines.slice(start, start + step).flatMap(({ words }) => words);
    const next = lines.slice(start + step, start + step + overlap).flatMap(({ words }) => words);
    const words = [...own, ...next.slice(0, overlap)];
    const text = words.map((word) => word.text).join(' ');
    const first = lines[start]!.first;
    for (const place of matchedWords(text, words, searchText)) found.add(first + place);
    yield;
  }
}
