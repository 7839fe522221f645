import type { Pattern, SearchTerm } from '@earshot/contract/words/public';
import { partsOfPattern } from '@earshot/contract/words/public';
import { gramsOfPhrase, gramsOfWords, mostGrams, gramsOfEdge } from './grams.ts';

/** One list of grams for each combination of alternatives. More would cost more time than they save. */
const mostLists = 24;
/** After so many terms, one with alternatives finds hardly fewer texts, and costs a lookup for each of them. */
const enoughTerms = 4;

interface Combination {
  readonly grams: readonly number[];
  readonly isNew: boolean;
  /** The patterns that a text with these grams may have. */
  readonly patterns: readonly Pattern[];
}

/** Sequences of a pattern that are looked up. */
export const mostParts = 8;

/**
 * Lists of grams: a text that matches all terms has all grams of at least one list. If `known` is given, the texts that
 * match those terms, with fewer variants each, are not looked for.
 */
export function gramLists(terms: readonly SearchTerm[], known?: readonly SearchTerm[]): readonly (readonly number[])[] {
  let combinations: readonly Combination[] = [{ grams: [], isNew: false, patterns: [] }];
  const all = terms.map((term, at) => alternativesOf(term, known?.[at]));
  let mayOmitKnown = known !== undefined;
  // Terms that would exceed the limit are not looked up: the text decides about them.
  for (const [at, alternatives] of all.toSorted((a, b) => a.length - b.length).entries()) {
    const isEnough = at >= enoughTerms && alternatives.length > 1;
    const next = combinations.flatMap((before) => combine(before, alternatives));
    if (at > 0 && (isEnough || next.length > mostLists)) {
      mayOmitKnown = false;
      break;
    }
    combinations = next;
  }
  return combinations.filter(({ isNew }) => isNew || !mayOmitKnown).map(({ grams }) => chooseGrams(grams));
}

/** A text that has the pattern of several terms matches all of them. */
function combine(before: Combination, alternatives: readonly Combination[]): readonly Combination[] {
  const shares = (one: Combination) => one.patterns.some((pattern) => before.patterns.includes(pattern));
  if (alternatives.some(shares)) return [before];
  return alternatives.map(({ grams, isNew, patterns }) => ({
    grams: [...before.grams, ...grams],
    isNew: before.isNew || isNew,
    patterns: [...before.patterns, ...patterns],
  }));
}

function alternativesOf(
  { phrases, variants, patterns, isWhole }: SearchTerm,
  known: SearchTerm | undefined,
): readonly Combination[] {
  return [
    { grams: phrases.flatMap(isWhole ? gramsOfWords : gramsOfPhrase), isNew: false, patterns: [] },
    ...variants.map((variant) => ({
      grams: gramsOfWords(variant),
      isNew: known !== undefined && !known.variants.includes(variant),
      patterns: [],
    })),
    ...patterns.flatMap((pattern) =>
      partsOfPattern(pattern, mostParts).map((words) => ({
        grams: gramsOfWords(words),
        isNew: false,
        patterns: [pattern],
      })),
    ),
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
