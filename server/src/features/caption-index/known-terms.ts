import {
  homophonesOf,
  distanceOf,
  similarWordOf,
  prunePattern,
  splitsWithoutDouble,
  wordsOfPattern,
} from '@earshot/contract/words/public';
import type { Breadth, Extent, SearchTerm } from '@earshot/contract/words/public';
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

export interface Resolving {
  /** Whole words have no similar words and no forms from vocabularies. */
  readonly extent?: Extent;
  readonly lookUpForms?: LookUpForms;
}

/** Limits the cost of a long search: similar words are looked up for its first words. */
const mostCompared = 8;
const mostSimilar = 8;

/** Looks up the vocabulary, then the list of words, once for all terms. */
export async function lookUpTerms(
  db: Db,
  given: readonly SearchTerm[],
  { extent = 'parts', lookUpForms }: Resolving,
): Promise<KnownTerms> {
  const isExact = extent === 'words';
  const runs = isExact ? [] : findRuns(given);
  const forms = lookUpForms && runs.length > 0 ? await lookUpForms(runs.flatMap(({ texts }) => texts)) : new Map();
  const written = new Map([...forms].map(([text, some]) => [text, writtenForms(some)]));
  const ofVariants = [
    ...given.flatMap(({ variants, patterns }) => [...variants, ...patterns.flatMap(wordsOfPattern)]),
    ...[...written.values()].flat(),
  ];
  const compared = isExact ? [] : given.filter((term) => similarWordOf(term) !== undefined).slice(0, mostCompared);
  const words = compared.flatMap(wordsToCompare);
  const pairs = runs.map(({ texts }) => joinedPair(texts[0]!)).filter((pair) => pair !== undefined);
  const splits = compared.flatMap((term) => splitsWithoutDouble(similarWordOf(term)!));
  const listed = await findListedWords(
    db,
    [
      ...new Set([
        ...[...ofVariants, ...splits].flatMap((variant) => variant.split(' ')).filter((word) => !isUnlisted(word)),
        ...words.flatMap(homophonesOf),
      ]),
    ],
    [...new Set([...compared.map((term) => similarWordOf(term)!), ...pairs].flatMap(keysOfWord))],
  );
  const isKnown = (variant: string) => variant.split(' ').every((word) => isUnlisted(word) || listed.has(word));
  const terms = knownForms(given, isKnown);
  const addSimilarWords = (breadth: Breadth) => {
    const joined = joinRuns(terms, runs, (text) => [
      ...(written.get(text) ?? []).filter(isKnown),
      ...similarToPair(text, listed, breadth),
    ]);
    const extended = joined.terms.map((term, at) => {
      const isCompared = compared.some(({ typed }) => typed === term.typed);
      return extendTerm(term, [
        ...joined.forms[at]!,
        ...(isCompared
          ? [...similarWords(term, listed, breadth), ...splitsWithoutDouble(term.typed).filter(isKnown)]
          : []),
      ]);
    });
    const isExtended = extended.some(({ variants }, at) => variants.length > joined.terms[at]!.variants.length);
    return isExtended ? { terms: joined.terms, extended, forms: [...written.values()].flat() } : undefined;
  };
  return { terms, addSimilarWords };
}

/** The terms without forms that have an unknown word. Terms that share a pattern share what is left of it. */
function knownForms(given: readonly SearchTerm[], isKnown: (words: string) => boolean): readonly SearchTerm[] {
  const known = new Map(
    given.flatMap(({ patterns }) => patterns).map((pattern) => [pattern, prunePattern(pattern, isKnown)]),
  );
  return given.map((term) => ({
    ...term,
    variants: term.variants.filter(isKnown),
    patterns: term.patterns.map((pattern) => known.get(pattern)).filter((pattern) => pattern !== undefined),
  }));
}

const extendTerm = (term: SearchTerm, words: readonly string[]): SearchTerm =>
  words.length === 0 ? term : { ...term, variants: [...new Set([...term.variants, ...words])] };

/** Two adjacent words as one: an engine may have joined them. */
function joinedPair(text: string): string | undefined {
  const words = text.split(' ');
  return words.length === 2 && words.every((word) => /^[a-z]+$/u.test(word)) ? words.join('') : undefined;
}

function similarToPair(text: string, listed: ReadonlySet<string>, breadth: Breadth): readonly string[] {
  const joined = joinedPair(text);
  if (joined === undefined) return [];
  return [...listed].filter((word) => distanceOf(joined, word, breadth) !== undefined).slice(0, mostSimilar);
}

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
