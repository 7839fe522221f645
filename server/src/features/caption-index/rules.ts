import type { SearchTerm } from '@earshot/contract/search-terms';
import { gramsOfPhrase, gramsOfWords, mostGrams, gramsOfEdge } from './grams.ts';

/** One list of grams for each combination of alternatives. More would cost more time than they save. */
const mostLists = 24;
/** After so many terms, one with alternatives finds hardly fewer texts, and costs a lookup for each of them. */
const enoughTerms = 4;

interface Combination {
  readonly grams: readonly number[];
  readonly isNew: boolean;
}

/**
 * Lists of grams: a text that matches all terms has all grams of at least one list. If `known` is given, the texts that
 * match those terms, with fewer variants each, are not looked for.
 */
export function gramLists(terms: readonly SearchTerm[], known?: readonly SearchTerm[]): readonly (readonly number[])[] {
  let combinations: readonly Combination[] = [{ grams: [], isNew: false }];
  const all = terms.map((term, at) => alternativesOf(term, known?.[at]));
  let mayOmitKnown = known !== undefined;
  // Terms that would exceed the limit are not looked up: the text decides about them.
  for (const [at, alternatives] of all.toSorted((a, b) => a.length - b.length).entries()) {
    const isEnough = at >= enoughTerms && alternatives.length > 1;
    if (at > 0 && (isEnough || combinations.length * alternatives.length > mostLists)) {
      mayOmitKnown = false;
      break;
    }
    combinations = combinations.flatMap((before) =>
      alternatives.map(({ grams, isNew }) => ({ grams: [...before.grams, ...grams], isNew: before.isNew || isNew })),
    );
  }
  return combinations.filter(({ isNew }) => isNew || !mayOmitKnown).map(({ grams }) => chooseGrams(grams));
}

function alternativesOf({ phrases, variants }: SearchTerm, known: SearchTerm | undefined): readonly Combination[] {
  return [
    { grams: phrases.flatMap(gramsOfPhrase), isNew: false },
    ...variants.map((variant) => ({
      grams: gramsOfWords(variant),
      isNew: known !== undefined && !known.variants.includes(variant),
    })),
  ];
}

/** Grams of all parts of a long search. */
export function chooseGrams(all: readonly number[]): number[] {
  const grams = [...new Set(all)];
  const step = Math.max(1, grams.length / mostGrams);
  return Array.from({ length: Math.min(grams.length, mostGrams) }, (_, index) => grams[Math.floor(index * step)] ?? 0);
}

/** The grams of a text that begins, or ends, with these words. */
export const edgeGrams = (words: string, edge: 'start' | 'end'): number[] => chooseGrams(gramsOfEdge(words, edge));
