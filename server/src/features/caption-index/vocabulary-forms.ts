import type { SearchTerm } from '@earshot/contract/words/public';
import { containsTerms, readSequences, readTerms } from '@earshot/contract/words/public';

/*
 * Other forms of terms, from a vocabulary. An entry may have several words, so one term or several adjacent terms of a
 * search are looked up together:
 *
 *   call cowal chick    call, cowal, chick, call cowal, cowal chick, call cowal chick
 *
 * Adjacent terms that are an entry become one term, whose variants are the other forms of the entry.
 */

/** The other forms of each of the texts that has any. Blanks are ignored when texts are compared. */
export type LookUpForms = (texts: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Limits the cost of a long search: its first terms are looked up. */
const mostTerms = 8;
const longestRun = 5;
const mostTexts = 60;
const mostForms = 24;
const mostWritten = 16;

/** Adjacent terms outside quotes, and the texts under which a vocabulary may have them. */
export interface TermRun {
  readonly from: number;
  readonly length: number;
  readonly texts: readonly string[];
}

/** The longest first. */
export function findRuns(terms: readonly SearchTerm[]): readonly TermRun[] {
  const runs: TermRun[] = [];
  const first = terms.slice(0, mostTerms);
  for (let length = Math.min(longestRun, first.length); length > 0; length--) {
    for (let from = 0; from + length <= first.length; from++) {
      const run = first.slice(from, from + length);
      if (run.every(({ isQuoted }) => !isQuoted)) runs.push({ from, length, texts: textsOf(run) });
    }
  }
  let left = Math.max(0, mostTexts - runs.length);
  return runs.map(({ texts: [typed = '', ...others], ...run }) => {
    const taken = others.slice(0, left);
    left -= taken.length;
    return { ...run, texts: [typed, ...taken] };
  });
}

/** The words as typed, then with numbers and plurals in other forms. Texts that differ only in blanks count once. */
function textsOf(run: readonly SearchTerm[]): readonly string[] {
  const typed = run.map((term) => term.typed).join(' ');
  const others = run.length === 1 ? run[0]!.variants : readSequences(run, typed);
  const seen = new Set<string>();
  return [typed, ...others].filter((text) => {
    const key = text.replaceAll(' ', '');
    return !seen.has(key) && seen.add(key);
  });
}

/** The forms, then other ways to write and say those that have several words or a number. */
export function writtenForms(given: readonly string[]): readonly string[] {
  const forms = given.slice(0, mostForms);
  return [...new Set([...forms, ...forms.flatMap((form) => readSequences(readTerms(form), form, mostWritten))])];
}

/** A search whose adjacent terms may be joined. Both lists have the same length. */
export interface JoinedTerms {
  readonly terms: readonly SearchTerm[];
  readonly forms: readonly (readonly string[])[];
}

/** Joins the terms that have forms. */
export function joinRuns(
  terms: readonly SearchTerm[],
  runs: readonly TermRun[],
  formsOf: (text: string) => readonly string[],
): JoinedTerms {
  const isTaken = new Set<number>();
  const chosen = new Map<number, { readonly run: TermRun; readonly forms: readonly string[] }>();
  for (const run of runs) {
    const places = Array.from({ length: run.length }, (_, at) => run.from + at);
    if (places.some((place) => isTaken.has(place))) continue;
    const forms = newForms(terms.slice(run.from, run.from + run.length), run.texts.flatMap(formsOf));
    if (forms.length === 0) continue;
    for (const place of places) isTaken.add(place);
    chosen.set(run.from, { run, forms });
  }
  const joined: SearchTerm[] = [];
  const forms: (readonly string[])[] = [];
  for (let at = 0; at < terms.length;) {
    const found = chosen.get(at);
    const length = found?.run.length ?? 1;
    joined.push(joinTerms(terms.slice(at, at + length)));
    forms.push(found?.forms ?? []);
    at += length;
  }
  return { terms: joined, forms };
}

/** A form that contains the terms is found by them. */
const newForms = (run: readonly SearchTerm[], forms: readonly string[]): readonly string[] =>
  [...new Set(forms)].filter((form) => !containsTerms(form, run)).slice(0, mostForms);

function joinTerms(run: readonly SearchTerm[]): SearchTerm {
  if (run.length === 1) return run[0]!;
  return {
    typed: run.map(({ typed }) => typed).join(' '),
    phrases: [...new Set(run.flatMap(({ phrases }) => phrases))],
    variants: [],
    patterns: [],
    isQuoted: false,
    isWhole: false,
  };
}
