import type { Pattern } from './pattern.ts';
import type { SearchTerm } from './terms.ts';

/** Words that a text contains all of, if it matches in this way. */
export type NecessaryWords = readonly string[];

/**
 * Words of which every text that matches these terms, as whole words, contains at least one. So thousands of searches can
 * be kept by these words, and only those with a word of a text are compared with it.
 */
export function necessaryWords(terms: readonly SearchTerm[]): readonly string[] {
  const [best] = necessaryWaysOfEach(terms)
    .map((ways) => [...new Set(ways.map(longestOf))])
    .toSorted((one, other) => rarity(other) - rarity(one) || one.length - other.length);
  return best ?? [];
}

/** Of each term the ways in which a text can match it: one of these has all of its words in the text. */
export function necessaryWaysOfEach(terms: readonly SearchTerm[]): readonly (readonly NecessaryWords[])[] {
  if (terms.some(({ isWhole }) => !isWhole)) throw new Error('only whole words are necessary');
  return terms.map(({ phrases, variants, patterns }) => [
    ...[phrases.join(' '), ...variants].map((way) => way.split(' ')),
    ...patterns.flatMap(wordsOfSequence).map((word) => [word]),
  ]);
}

/** The words of the place that say most. */
function wordsOfSequence(pattern: Pattern): readonly string[] {
  const places = pattern.map((place) =>
    place.flatMap((way) => (typeof way === 'string' ? [longestWord(way)] : wordsOfSequence(way))),
  );
  return places.reduce((best, words) => (rarity(words) > rarity(best) ? words : best));
}

const longestWord = (words: string): string => longestOf(words.split(' '));

const longestOf = (words: NecessaryWords): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest));

/** A long word is usually rare, and a letter that is a word is not. */
const rarity = (words: readonly string[]): number =>
  Math.min(...words.map((word) => (/^[aio]$/u.test(word) ? 0 : word.length)));
