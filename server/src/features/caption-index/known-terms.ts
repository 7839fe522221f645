import { homophonesOf } from '@earshot/contract/homophones';
import type { Breadth } from '@earshot/contract/search-similar';
import { distanceOf } from '@earshot/contract/search-similar';
import type { SearchTerm } from '@earshot/contract/search-terms';
import { similarWordOf } from '@earshot/contract/search-terms';
import type { Db } from '../../platform/database/connect.ts';
import type { LookUpForms } from './vocabulary-forms.ts';
import { findRuns, joinRuns, writtenForms } from './vocabulary-forms.ts';
import { findListedWords } from './word-queries.ts';
import { isUnlisted, keysOfWord } from './words.ts';

/** The terms of a search, reduced to variants that occur in transcripts. */
export interface KnownTerms {
  readonly terms: readonly SearchTerm[];
  /** Undefined if there are no similar words. */
  readonly addSimilarWords: (breadth: Breadth) => SimilarTerms | undefined;
}

/** The terms of a search for its second choice. */
export interface SimilarTerms {
  /** Like the terms of the search. Adjacent ones that are an entry of a vocabulary are one term. */
  readonly terms: readonly SearchTerm[];
  /** The same terms with similar words, and forms from vocabularies, as further variants. */
  readonly extended: readonly SearchTerm[];
  /** The forms from vocabularies. */
  readonly forms: readonly string[];
}

/** Limits the cost of a long search: similar words are looked up for its first words. */
const mostCompared = 8;
const mostSimilar = 8;

const noForms: LookUpForms = async () => new Map();

/** Looks up the vocabulary, then the list of words, once for all terms. */
export async function lookUpTerms(
  db: Db,
  given: readonly SearchTerm[],
  lookUpForms: LookUpForms = noForms,
): Promise<KnownTerms> {
  const runs = findRuns(given);
  const forms = runs.length > 0 ? await lookUpForms(runs.flatMap(({ texts }) => texts)) : new Map();
  const written = new Map([...forms].map(([text, some]) => [text, writtenForms(some)]));
  const ofVariants = [...given.flatMap(({ variants }) => variants), ...[...written.values()].flat()];
  const compared = given.filter((term) => similarWordOf(term) !== undefined).slice(0, mostCompared);
  const words = compared.flatMap(wordsToCompare);
  const listed = await findListedWords(
    db,
    [
      ...new Set([
        ...ofVariants.flatMap((variant) => variant.split(' ')).filter((word) => !isUnlisted(word)),
        ...words.flatMap(homophonesOf),
      ]),
    ],
    [...new Set(compared.flatMap((term) => keysOfWord(similarWordOf(term)!)))],
  );
  const isKnown = (variant: string) => variant.split(' ').every((word) => isUnlisted(word) || listed.has(word));
  const terms = given.map((term) => ({ ...term, variants: term.variants.filter(isKnown) }));
  const joined = joinRuns(terms, runs, (text) => (written.get(text) ?? []).filter(isKnown));
  const addSimilarWords = (breadth: Breadth) => {
    const extended = joined.terms.map((term, at) => {
      const isCompared = compared.some(({ typed }) => typed === term.typed);
      return extendTerm(term, [...joined.forms[at]!, ...(isCompared ? similarWords(term, listed, breadth) : [])]);
    });
    const isExtended = extended.some(({ variants }, at) => variants.length > joined.terms[at]!.variants.length);
    return isExtended ? { terms: joined.terms, extended, forms: joined.forms.flat() } : undefined;
  };
  return { terms, addSimilarWords };
}

const extendTerm = (term: SearchTerm, words: readonly string[]): SearchTerm =>
  words.length === 0 ? term : { ...term, variants: [...new Set([...term.variants, ...words])] };

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
