import { otherLengths, spelledOf } from './search-abbreviations.ts';
import { contractionOf, longFormsOf } from './search-contractions.ts';
import { countCodeWords, formsOfCode } from './search-codes.ts';
import { countNumberWords, formsOfDay, formsOfDecimalText, formsOfNumber } from './search-numbers.ts';
import { otherNumbers } from './search-plurals.ts';
import { distanceOf } from './search-similar.ts';
import type { SpokenWord, WordRange } from './search-words.ts';
import { comparable, findRanges, readWords, splitQuoted } from './search-words.ts';

/*
 * The meaning of a search, shared by the server, which searches, and the console, which highlights matches.
 *
 * A search is a list of terms. A text matches if it matches every term, and it matches a term if it contains all phrases
 * of the term, also as parts of words, or one of its variants, as whole words. A text in quotes has no variants.
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
  readonly isQuoted: boolean;
}

/** Limits the cost of a long search: the words after these are searched as they are typed. */
const mostVariants = 60;
const mostVariantsOfTerm = 24;

/** A term, and its words split in two, which are the least important variants. */
interface ReadTerm extends SearchTerm {
  readonly splits: readonly string[];
}

interface Piece {
  readonly typed: string;
  readonly words: readonly string[];
}

/** The terms of a search; none if it has no letter and no digit. */
export function readTerms(searchText: string): readonly SearchTerm[] {
  const terms: ReadTerm[] = [];
  for (const { text, isQuoted } of splitQuoted(searchText)) {
    const phrase = wordsOf(text).join(' ');
    if (isQuoted) terms.push({ typed: phrase, phrases: [phrase], variants: [], splits: [], isQuoted });
    else terms.push(...termsOfPieces(text.split(/\s+/u).map((typed) => ({ typed, words: wordsOf(typed) }))));
  }
  return limitVariants(withoutRepeats(terms.filter(({ phrases }) => phrases[0] !== '')));
}

const wordsOf = (text: string): string[] => readWords(text).map((word) => word.text);

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
  for (const [count, readForms] of [
    [countPieces(pieces, at, countCodeWords), formsOfCode],
    [countPieces(pieces, at, countNumberWords), formsOfNumber],
    [piece.words.some((word) => /[0-9]/u.test(word)) ? 1 : 0, formsOfCode],
  ] as const) {
    const some = pieces.slice(at, at + count);
    const forms = count > 0 ? readForms(some.flatMap(({ words }) => words)) : [];
    if (forms.length > 0) return { term: formsTerm(some, forms), count };
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

/** A number or a code: its pieces anywhere, or one of its forms. */
function formsTerm(pieces: readonly Piece[], forms: readonly string[]): ReadTerm {
  const phrases = [...new Set(pieces.map(({ words }) => words.join(' ')))];
  const typed = pieces.flatMap(({ words }) => words).join(' ');
  return { typed, phrases, variants: others(phrases, forms), splits: [], isQuoted: false };
}

function wordTerm({ typed, words }: Piece): ReadTerm {
  const phrase = words.join(' ');
  const last = words.at(-1)!;
  const before = words.slice(0, -1);
  const forms = [last, ...otherNumbers(last)];
  const joined = words.length > 1 ? forms.map((form) => [...before, form].join('')) : [];
  const splits = words.length > 1 ? [] : forms.flatMap(splitsOf);
  const spaced = forms.map((form) => [...before, form].join(' '));
  const written = words.length > 1 ? [] : [...otherLengths(last), ...longFormsOf(last), ...spelledOf(typed, last)];
  const decimals = formsOfDecimalText(typed);
  const variants = others([phrase], decimals ?? [...spaced, ...joined, ...written]);
  return { typed: phrase, phrases: [phrase], variants, splits, isQuoted: false };
}

const [shortestSplit, longestSplit] = [4, 16];

/** The word as two words: a hyphen or an apostrophe may stand between its letters. */
function splitsOf(word: string): string[] {
  if (word.length < shortestSplit || word.length > longestSplit || !/^[a-z]+$/u.test(word)) return [];
  return Array.from({ length: word.length - 1 }, (_, at) => `${word.slice(0, at + 1)} ${word.slice(at + 1)}`);
}

/** A variant that contains the only phrase is redundant. */
const others = (phrases: readonly string[], variants: readonly string[]): readonly string[] =>
  [...new Set(variants)]
    .filter((variant) => phrases.length > 1 || !variant.includes(phrases[0]!))
    .slice(0, mostVariantsOfTerm);

/** Whether each text that matches the other term matches this one. */
const isCovered = ({ phrases, variants }: SearchTerm, other: SearchTerm): boolean =>
  phrases.length === 1 &&
  other.phrases.some((phrase) => phrase.includes(phrases[0]!)) &&
  other.variants.every((variant) => variant.includes(phrases[0]!) || variants.includes(variant));

const withoutRepeats = (terms: readonly ReadTerm[]): readonly ReadTerm[] =>
  terms.filter(
    (term, at) =>
      !terms.some((other, place) => place !== at && isCovered(term, other) && !(at < place && isCovered(other, term))),
  );

function limitVariants(terms: readonly ReadTerm[]): readonly SearchTerm[] {
  let left = mostVariants;
  const take = (some: readonly string[]): readonly string[] => {
    const taken = some.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const first = terms.map(({ variants }) => take(variants));
  return terms.map(({ typed, phrases, splits, isQuoted }, at) => {
    return { typed, phrases, variants: [...first[at]!, ...take(splits)], isQuoted };
  });
}

/** A variant for comparison with a comparable text: whole words. */
export const asWholeWords = (words: string): string => ` ${words} `;

const containsTerm = (text: string, { phrases, variants }: SearchTerm): boolean =>
  phrases.every((phrase) => text.includes(phrase)) || variants.some((variant) => text.includes(asWholeWords(variant)));

/** Whether a text matches all terms. */
export function containsTerms(text: string, terms: readonly SearchTerm[]): boolean {
  const compared = comparable(readWords(text));
  return terms.every((term) => containsTerm(compared, term));
}

/** All matches of each term. */
export function findTermRanges(words: readonly SpokenWord[], terms: readonly SearchTerm[]): readonly WordRange[] {
  return terms.flatMap(({ phrases, variants }) => {
    const ofVariants = findRanges(words, variants.map(asWholeWords));
    // The words of a number are not marked elsewhere where the number itself was found.
    return phrases.length > 1 && ofVariants.length > 0 ? ofVariants : [...findRanges(words, phrases), ...ofVariants];
  });
}

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

const mostSequences = 6;

/**
 * The word sequences of a search that may begin in one clip and end in the next: the phrase in quotes, or all words in
 * their order, with numbers in other forms. None for a single word, or for a search of several phrases.
 */
export function readSequences(
  terms: readonly SearchTerm[],
  searchText: string,
  most = mostSequences,
): readonly string[] {
  if (terms.some(({ isQuoted }) => isQuoted)) return terms.length === 1 ? terms[0]!.phrases.filter(isSequence) : [];
  const all = wordsOf(searchText).join(' ');
  const found = new Set([all]);
  for (const { typed, variants } of terms) {
    const whole = new Set([typed, ...variants.filter((variant) => !isSequence(variant))]);
    for (const variant of variants) {
      // A word is not split between two clips.
      if (isSequence(variant) && whole.has(variant.replaceAll(' ', ''))) continue;
      found.add(asWholeWords(all).replace(asWholeWords(typed), asWholeWords(variant)).trim());
    }
  }
  return [...found].filter(isSequence).slice(0, most);
}

const isSequence = (words: string): boolean => words.includes(' ');

/** Whether a text ends with a first part of a sequence, or begins with a last part. */
export function touchesEdge(text: string, sequences: readonly string[]): boolean {
  const compared = comparable(readWords(text));
  return sequences.some((sequence) => {
    const words = sequence.split(' ');
    return words.some((_, at) => {
      if (at === 0) return false;
      return (
        compared.endsWith(`${words.slice(0, at).join(' ')} `) || compared.startsWith(` ${words.slice(at).join(' ')}`)
      );
    });
  });
}
