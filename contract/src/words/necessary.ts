import type { Pattern } from './pattern.ts';
import type { SearchTerm } from './terms.ts';

/**
 * Words of which every text that matches these terms, as whole words, contains at least one. So thousands of searches can
 * be kept by these words, and only those with a word of a text are compared with it.
 */
export function necessaryWords(terms: readonly SearchTerm[]): readonly string[] {
  if (terms.some(({ isWhole }) => !isWhole)) throw new Error('only whole words are necessary');
  const [best] = terms
    .map(wordsOfTerm)
    .toSorted((one, other) => rarity(other) - rarity(one) || one.length - other.length);
  return best ?? [];
}

/** The longest word of the phrases, of each variant, and of each way of a pattern. */
const wordsOfTerm = ({ phrases, variants, patterns }: SearchTerm): readonly string[] => [
  ...new Set([...[phrases.join(' '), ...variants].map(longestWord), ...patterns.flatMap(wordsOfSequence)]),
];

/** The words of the place that say most. */
function wordsOfSequence(pattern: Pattern): readonly string[] {
  const places = pattern.map((place) =>
    place.flatMap((way) => (typeof way === 'string' ? [longestWord(way)] : wordsOfSequence(way))),
  );
  return places.reduce((best, words) => (rarity(words) > rarity(best) ? words : best));
}

const longestWord = (words: string): string =>
  words.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest));

/** A long word is usually rare, and a letter that is a word is not. */
const rarity = (words: readonly string[]): number =>
  Math.min(...words.map((word) => (/^[aio]$/u.test(word) ? 0 : word.length)));
