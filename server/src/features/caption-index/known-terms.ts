import { homophonesOf } from '@earshot/contract/homophones';
import type { Breadth } from '@earshot/contract/search-similar';
import { distanceOf } from '@earshot/contract/search-similar';
import type { SearchTerm } from '@earshot/contract/search-terms';
import { similarWordOf } from '@earshot/contract/search-terms';
import type { Db } from '../../platform/database/connect.ts';
import type { KnownTerms } from './public.ts';
import { findListedWords } from './word-queries.ts';
import { isUnlisted, keysOfWord } from './words.ts';

/** Limits the cost of a long search: similar words are looked up for its first words. */
const mostCompared = 8;
const mostSimilar = 8;

/** Reads the list of words, once for all terms. */
export async function findKnownTerms(db: Db, given: readonly SearchTerm[]): Promise<KnownTerms> {
  const ofVariants = given.flatMap(({ variants }) => variants.flatMap((variant) => variant.split(' ')));
  const compared = given.filter((term) => similarWordOf(term) !== undefined).slice(0, mostCompared);
  const words = compared.flatMap(wordsToCompare);
  const listed = await findListedWords(
    db,
    [...new Set([...ofVariants.filter((word) => !isUnlisted(word)), ...words.flatMap(homophonesOf)])],
    [...new Set(compared.flatMap((term) => keysOfWord(similarWordOf(term)!)))],
  );
  const isKnown = (variant: string) => variant.split(' ').every((word) => isUnlisted(word) || listed.has(word));
  const terms = given.map((term) => ({ ...term, variants: term.variants.filter(isKnown) }));
  const findSimilar = (breadth: Breadth) => {
    const extended = terms.map((term, at) =>
      compared.includes(given[at]!) ? extendTerm(term, similarWords(term, listed, breadth)) : term,
    );
    return extended.some(({ variants }, at) => variants.length > terms[at]!.variants.length) ? extended : undefined;
  };
  return { terms, findSimilar };
}

const extendTerm = (term: SearchTerm, words: readonly string[]): SearchTerm =>
  words.length === 0 ? term : { ...term, variants: [...term.variants, ...words] };

/** The word of the term, and its other number. */
const wordsToCompare = (term: SearchTerm): readonly string[] => [
  similarWordOf(term)!,
  ...term.variants.filter((variant) => !variant.includes(' ')),
];

/** The most similar words first. Words that contain the searched one are found by it. */
function similarWords(term: SearchTerm, listed: ReadonlySet<string>, breadth: Breadth): readonly string[] {
  const words = wordsToCompare(term);
  const found: { readonly word: string; readonly distance: number }[] = [];
  for (const word of listed) {
    if (words.includes(word) || word.includes(words[0]!)) continue;
    const distances = words.map((own) => distanceOf(own, word, breadth)).filter((distance) => distance !== undefined);
    if (distances.length > 0) found.push({ word, distance: Math.min(...distances) });
  }
  return found
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, mostSimilar)
    .map(({ word }) => word);
}
