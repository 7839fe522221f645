import { otherLengths, spelledOf } from './abbreviations.ts';
import { contractionOf, longFormsOf } from './contractions.ts';
import { countCodeWords, patternOfCode } from './codes.ts';
import { clockTime, heightPattern, readHeight, readClockTime, relativeTimePattern } from './measures.ts';
import { countNumberWords, formsOfDay, formsOfDecimalText, formsOfNumber } from './numbers.ts';
import type { Pattern } from './pattern.ts';
import { otherNumbers, pluralsOf } from './plurals.ts';
import { patternOfRun } from './runs.ts';
import { spellPattern } from './spelling.ts';
import { readWords, splitQuoted } from './spoken.ts';

/*
 * The meaning of a search, shared by the server, which searches, and the console, which highlights matches.
 *
 * A search is a list of terms. A text matches if it matches every term, and it matches a term if it contains all phrases
 * of the term, also as parts of words, or one of its variants, as whole words. A text in quotes has no variants. In a
 * search for whole words the phrases must be whole words too, so its terms also have variants that contain a phrase:
 * trucks, or: truck; truck, or: trucks.
 *
 *   "north gate" trucks     "north gate"    trucks, or: truck
 *   e-mails                 e mails, or: emails, e mail, email
 *   unit nine six           unit    nine and six anywhere, or: 96, 9 6, nine six, ninety six
 *   apt 4B                  apt, or: apartment    4b, or: 4 b, four b
 *   July 4                  july    4, or: 4th, four, fourth
 */

export interface SearchTerm {
  /** The words in their order. */
  readonly typed: string;
  readonly phrases: readonly string[];
  readonly variants: readonly string[];
  /** Further variants, place by place. Adjacent terms that are said in another way together share one. */
  readonly patterns: readonly Pattern[];
  readonly isQuoted: boolean;
  /** Whether the phrases must be whole words. */
  readonly isWhole: boolean;
}

/** Whether the words of a search also match as parts of words. */
export type Extent = 'parts' | 'words';

/** Limits the cost of a long search: the words after these are searched as they are typed. */
const mostVariants = 60;
const mostVariantsOfTerm = 24;
const mostPatterns = 8;

/** A term, and its words split in two, which are the least important variants. */
interface ReadTerm extends Omit<SearchTerm, 'isWhole'> {
  readonly splits: readonly string[];
  /** A form of it would be a part of other words. */
  readonly isWhole?: boolean;
}

interface Piece {
  readonly typed: string;
  readonly words: readonly string[];
}

/** The terms of a search; none if it has no letter and no digit. */
export function readTerms(searchText: string, extent: Extent = 'parts'): readonly SearchTerm[] {
  const terms: ReadTerm[] = [];
  for (const { text, isQuoted } of splitQuoted(searchText)) {
    const phrase = wordsOf(text).join(' ');
    if (isQuoted) terms.push({ typed: phrase, phrases: [phrase], variants: [], patterns: [], splits: [], isQuoted });
    else terms.push(...termsOfPieces(text.split(/\s+/u).map((typed) => ({ typed, words: wordsOf(typed) }))));
  }
  const isWhole = extent === 'words';
  const given = withRuns(terms.filter(({ phrases }) => phrases[0] !== ''));
  return limitVariants(
    withoutRepeats(given.map((term) => withoutRedundant({ ...term, isWhole: isWhole || term.isWhole === true }))),
  );
}

export const wordsOf = (text: string): string[] => readWords(text).map((word) => word.text);

function termsOfPieces(all: readonly Piece[]): ReadTerm[] {
  const pieces = all.filter(({ words }) => words.length > 0);
  const terms: ReadTerm[] = [];
  for (let at = 0; at < pieces.length;) {
    const { term, count } = readTerm(pieces, at);
    terms.push(term);
    at += count;
  }
  return terms;
}

/** The term that begins at this piece, and the number of its pieces. */
function readTerm(pieces: readonly Piece[], at: number): { readonly term: ReadTerm; readonly count: number } {
  const piece = pieces[at]!;
  const day = isMonth(pieces[at - 1]) || isMonth(pieces[at + 1]) ? formsOfDay(piece.words) : undefined;
  if (day) return { term: formsTerm([piece], day), count: 1 };
  const measure = readMeasure(piece);
  if (measure) return { term: measure, count: 1 };
  for (const [count, read] of [
    [countPieces(pieces, at, countCodeWords), codeTerm],
    [countPieces(pieces, at, countNumberWords), numberTerm],
    [piece.words.some((word) => /[0-9]/u.test(word)) ? 1 : 0, codeTerm],
  ] as const) {
    const term = count > 0 ? read(pieces.slice(at, at + count)) : undefined;
    if (term) return { term, count };
  }
  const pair = pieces.slice(at, at + 2);
  const contraction = contractionOf(pair.flatMap(({ words }) => words).join(' '));
  if (contraction && pair.length === 2) return { term: formsTerm(pair, [contraction]), count: 2 };
  return { term: wordTerm(piece), count: 1 };
}

const months = new Set(
  'january february march april may june july august september october november december'.split(' '),
);
const isMonth = (piece: Piece | undefined): boolean => piece?.words.length === 1 && months.has(piece.words[0]!);

/** How many whole pieces, from this one on, the counted words make. */
function countPieces(pieces: readonly Piece[], from: number, countWords: typeof countNumberWords): number {
  const words = pieces.slice(from).flatMap((piece) => piece.words);
  let left = countWords(words, 0);
  let count = 0;
  for (const piece of pieces.slice(from)) {
    if (piece.words.length > left || formsOfDecimalText(piece.typed)) break;
    left -= piece.words.length;
    count += 1;
  }
  return count;
}

const allWords = (pieces: readonly Piece[]): readonly string[] => pieces.flatMap(({ words }) => words);

/** A number or a code: its pieces anywhere, or one of its forms. */
function formsTerm(pieces: readonly Piece[], variants: readonly string[], patterns: readonly Pattern[] = []): ReadTerm {
  const phrases = [...new Set(pieces.map(({ words }) => words.join(' ')))];
  return { typed: allWords(pieces).join(' '), phrases, variants, patterns, splits: [], isQuoted: false };
}

function numberTerm(pieces: readonly Piece[]): ReadTerm | undefined {
  const forms = formsOfNumber(allWords(pieces));
  return forms.length > 0 ? formsTerm(pieces, forms) : undefined;
}

function codeTerm(pieces: readonly Piece[]): ReadTerm | undefined {
  const pattern = patternOfCode(allWords(pieces));
  // `E-27` is not a part of `case 27`.
  return (
    pattern && { ...formsTerm(pieces, [], [pattern]), isWhole: pieces.length === 1 && pieces[0]!.words.length > 1 }
  );
}

/** A time or a height, which its signs show. */
function readMeasure(piece: Piece): ReadTerm | undefined {
  const [hour, minute] = readClockTime(piece.typed) ?? [];
  if (hour !== undefined) {
    const ways = [clockTime(hour, minute!), relativeTimePattern(hour, minute!)].filter((way) => way !== undefined);
    return formsTerm([piece], formsOfNumber(piece.words), [[ways]]);
  }
  const [feet, inches] = readHeight(piece.typed) ?? [];
  if (feet === undefined) return undefined;
  return { ...formsTerm([piece], [], [heightPattern(feet, inches!)]), isWhole: true };
}

const longestRun = 8;
const mostRuns = 4;

/** The terms, with the ways to say several of them together. */
function withRuns(terms: readonly ReadTerm[]): readonly ReadTerm[] {
  const all = [...terms];
  let found = 0;
  for (let at = 0; at < all.length && found < mostRuns; at++) {
    for (let count = Math.min(longestRun, all.length - at); count > 0; count--) {
      const run = all.slice(at, at + count);
      const isPlain = run.every(({ isQuoted }) => !isQuoted);
      const pattern = isPlain ? patternOfRun(run.flatMap(({ typed }) => typed.split(' '))) : undefined;
      if (!pattern) continue;
      for (const [place, term] of run.entries()) all[at + place] = { ...term, patterns: [...term.patterns, pattern] };
      found += 1;
      at += count - 1;
      break;
    }
  }
  return all;
}

function wordTerm({ typed, words }: Piece): ReadTerm {
  const phrase = words.join(' ');
  const last = words.at(-1)!;
  const before = words.slice(0, -1);
  const singulars = [last, ...otherNumbers(last)];
  const forms = [...singulars, ...pluralsOf(last)];
  const joined = words.length > 1 ? forms.map((form) => [...before, form].join('')) : [];
  const splits = words.length > 1 ? [] : singulars.flatMap(splitsOf);
  const spaced = forms.map((form) => [...before, form].join(' '));
  const written = words.length > 1 ? [] : [...otherLengths(last), ...longFormsOf(last), ...spelledOf(typed, last)];
  const decimals = formsOfDecimalText(typed);
  const variants = decimals ?? [...spaced, ...joined, ...written];
  const spelled = words.length > 1 ? [] : spelledOf(typed, last);
  const patterns = spelled.length > 0 && last.length >= fewestSpelled ? [spellPattern(last)] : [];
  return { typed: phrase, phrases: [phrase], variants, patterns, splits, isQuoted: false };
}

/** Two words of an alphabet are more often a name. */
const fewestSpelled = 3;

const [shortestSplit, longestSplit] = [4, 16];

/** The word as two words: a hyphen or an apostrophe may stand between its letters. */
function splitsOf(word: string): string[] {
  if (word.length < shortestSplit || word.length > longestSplit || !/^[a-z]+$/u.test(word)) return [];
  return Array.from({ length: word.length - 1 }, (_, at) => `${word.slice(0, at + 1)} ${word.slice(at + 1)}`);
}

/** Whether every text with these words has the phrase. */
const includes = (words: string, phrase: string, isWhole: boolean): boolean =>
  isWhole ? ` ${words} `.includes(` ${phrase} `) : words.includes(phrase);

/** A variant that contains the only phrase is redundant. */
const withoutRedundant = (term: ReadTerm & SearchTerm): ReadTerm & SearchTerm => ({
  ...term,
  variants: [...new Set(term.variants)]
    .filter((variant) => term.phrases.length > 1 || !includes(variant, term.phrases[0]!, term.isWhole))
    .slice(0, mostVariantsOfTerm),
});

/** Whether each text that matches the other term matches this one. */
const isCovered = ({ phrases, variants, patterns, isWhole }: SearchTerm, other: SearchTerm): boolean =>
  phrases.length === 1 &&
  other.patterns.every((pattern) => patterns.includes(pattern)) &&
  other.phrases.some((phrase) => includes(phrase, phrases[0]!, isWhole)) &&
  other.variants.every((variant) => includes(variant, phrases[0]!, isWhole) || variants.includes(variant));

const withoutRepeats = <Term extends SearchTerm>(terms: readonly Term[]): readonly Term[] =>
  terms.filter(
    (term, at) =>
      !terms.some((other, place) => place !== at && isCovered(term, other) && !(at < place && isCovered(other, term))),
  );

function limitVariants(terms: readonly (ReadTerm & SearchTerm)[]): readonly SearchTerm[] {
  let left = mostVariants;
  const take = (some: readonly string[]): readonly string[] => {
    const taken = some.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const first = terms.map(({ variants }) => take(variants));
  const compared = new Set([...new Set(terms.flatMap(({ patterns }) => patterns))].slice(0, mostPatterns));
  return terms.map(({ splits, ...term }, at) => ({
    ...term,
    variants: [...first[at]!, ...take(splits)],
    patterns: term.patterns.filter((pattern) => compared.has(pattern)),
  }));
}
