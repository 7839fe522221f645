import { expressionOf, longestOfPattern } from './pattern.ts';
import { distanceOf } from './similar.ts';
import type { SpokenText, SpokenWord, WordRange } from './spoken.ts';
import { comparable, findExpression, findRanges, readWords } from './spoken.ts';
import type { SearchTerm } from './terms.ts';

/*
 * Compares terms with texts. The server compares in SQL too (caption-index/text-queries.ts); a test compares both on random
 * captions.
 */

/** Words for comparison with a comparable text: whole words. */
export const asWholeWords = (words: string): string => ` ${words} `;

/** The phrases for comparison with a comparable text. */
export const comparedPhrases = ({ phrases, isWhole }: SearchTerm): readonly string[] =>
  isWhole ? phrases.map(asWholeWords) : phrases;

const containsTerm = (text: string, term: SearchTerm): boolean =>
  comparedPhrases(term).every((phrase) => text.includes(phrase)) ||
  term.variants.some((variant) => text.includes(asWholeWords(variant))) ||
  term.patterns.some((pattern) => new RegExp(expressionOf(pattern), 'u').test(text));

/** Whether a text matches all terms. */
export const containsTerms = (text: string, terms: readonly SearchTerm[]): boolean =>
  comparedContains(comparable(readWords(text)), terms);

/** The same of a text that is comparable already, as the index of captions keeps it: it is not read again for each rule. */
export const comparedContains = (compared: string, terms: readonly SearchTerm[]): boolean =>
  terms.every((term) => containsTerm(compared, term));

/** The words at which a text matches all terms; undefined if it does not. */
export const findMatch = (
  { words, compared }: SpokenText,
  terms: readonly SearchTerm[],
): readonly WordRange[] | undefined =>
  terms.every((term) => containsTerm(compared, term)) ? findTermRanges(words, terms) : undefined;

/** All matches of each term. */
export function findTermRanges(words: readonly SpokenWord[], terms: readonly SearchTerm[]): readonly WordRange[] {
  return terms.flatMap((term) => {
    const ofVariants = [
      ...findRanges(words, term.variants.map(asWholeWords)),
      ...term.patterns.flatMap((pattern) => findExpression(words, expressionOf(pattern))),
    ];
    // The words of a number are not marked elsewhere where the number itself was found.
    return term.phrases.length > 1 && ofVariants.length > 0
      ? ofVariants
      : [...findRanges(words, comparedPhrases(term)), ...ofVariants];
  });
}

/** The number of words of the longest match. */
export const longestMatchOf = (terms: readonly SearchTerm[]): number =>
  Math.max(
    1,
    ...terms.flatMap(({ phrases, variants, patterns }) => [
      ...[...phrases, ...variants].map((words) => words.split(' ').length),
      ...patterns.map(longestOfPattern),
    ]),
  );

/** The indexes of all words that match, each once and in order. */
export function findPlaces(words: readonly SpokenWord[], terms: readonly SearchTerm[]): readonly number[] {
  const places = new Set<number>();
  for (const [first, last] of findTermRanges(words, terms)) {
    for (let place = first; place <= last; place++) places.add(place);
  }
  return [...places].toSorted((a, b) => a - b);
}

/** The only word of a term for which similar words can be searched; undefined for phrases and texts in quotes. */
export const similarWordOf = ({ phrases, isQuoted }: SearchTerm): string | undefined =>
  !isQuoted && phrases.length === 1 && /^[a-z]+$/u.test(phrases[0]!) ? phrases[0] : undefined;

/** Whether a text matches all terms, some of them by similar words. */
export function containsSimilar(text: string, terms: readonly SearchTerm[]): boolean {
  const words = readWords(text);
  const compared = comparable(words);
  return terms.every((term) => {
    const word = similarWordOf(term);
    if (containsTerm(compared, term)) return true;
    return word !== undefined && words.some((said) => distanceOf(word, said.text, 'wide') !== undefined);
  });
}
