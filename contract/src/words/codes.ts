import { isRunway, wordsAfter, wordsBefore } from './designators.ts';
import { countNumberWords, formsOfNumber } from './numbers.ts';
import type { Pattern, PatternPlace } from './pattern.ts';
import { spellPattern } from './spelling.ts';

/*
 * Codes of letters and numbers: call signs, plates, roads, flights. The letters may be spelled, also as words, and the
 * numbers said. The forms are compared part by part, so they do not multiply.
 *
 *   KLM456    klm 456    k l m 4 5 6    king lincoln mary four five six
 *   K-9       k9         k nine         canine
 *   E2774     engine twenty seven seventy four
 *   27L       two seven left
 */

const mostSpelled = 4;
const mostParts = 4;
const mostLetters = 8;

interface Part {
  /** The part in one word. */
  readonly compact: string;
  readonly isNumber: boolean;
  readonly place: PatternPlace;
}

/** Runs of letters and of numbers; undefined if the words have any other character, or too many runs. */
function readParts(words: readonly string[]): readonly Part[] | undefined {
  if (!words.every((word) => /^[a-z0-9]+$/u.test(word))) return undefined;
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const numbers = countNumberWords(words, at);
    if (numbers > 0) parts.push(numberPart(words.slice(at, at + numbers)));
    else
      for (const part of words[at]!.match(/[a-z]+|[0-9]+/gu) ?? [])
        parts.push(/^[0-9]/u.test(part) ? numberPart([part]) : letterPart(part));
    at += Math.max(1, numbers);
  }
  return parts.length > mostParts || parts.some(({ place }) => place.length === 0) ? undefined : parts;
}

/** In codes a number is not said as `one hundred and twenty three`. */
function numberPart(words: readonly string[]): Part {
  const forms = formsOfNumber(words).filter((form) => !/(?:hundred|thousand) /u.test(form));
  return { compact: forms[0] ?? '', isNumber: true, place: forms };
}

const letterPart = (letters: string): Part => ({
  compact: letters,
  isNumber: false,
  place: letters.length > mostSpelled ? [letters] : [letters, spellPattern(letters)],
});

/** The parts with what letters stand for beside a number. */
function withDesignators(parts: readonly Part[]): readonly Part[] {
  const [first, second] = parts;
  if (parts.length !== 2 || !first || !second || first.isNumber === second.isNumber) return parts;
  if (second.isNumber) return [{ ...first, place: [...first.place, ...wordsBefore(first.compact)] }, second];
  if (!isRunway(first.compact)) return parts;
  const number = numberPart([String(Number(first.compact)).padStart(2, '0')]);
  const either = {
    ...first,
    place: [...new Set([...first.place, ...number.place, ...numberPart([String(Number(first.compact))]).place])],
  };
  return [either, { ...second, place: [...second.place, ...wordsAfter(second.compact)] }];
}

/** The parts in sequence, some adjacent ones of them in one word. */
function joinParts(parts: readonly Part[], from = 0): readonly Pattern[] {
  return parts.slice(from).flatMap(({ place }, at): readonly Pattern[] => {
    const to = from + at + 1;
    const joined = parts
      .slice(from, to)
      .map(({ compact }) => compact)
      .join('');
    const own: PatternPlace = at === 0 ? place : [joined];
    return to === parts.length ? [[own]] : [[own, joinParts(parts, to)]];
  });
}

/** The words with adjacent single letters as one word: `u a four twelve` is `ua four twelve`. */
const joinLetters = (words: readonly string[]): string[] =>
  words
    .join(' ')
    .replaceAll(/(?<=\b[a-z]) (?=[a-z]\b)/gu, '')
    .split(' ');

/** All ways to write or say a code of these words; undefined if they have no letters, or neither a number nor a letter alone. */
export function patternOfCode(words: readonly string[]): Pattern | undefined {
  const joined = joinLetters(words);
  const parts = readParts(joined);
  const isSpelled = joined.length < words.length;
  if (!parts || (parts.length < 2 && !isSpelled) || parts.every(({ isNumber }) => isNumber)) return undefined;
  if (!isSpelled && !/[0-9]|(?:^| )[a-z](?: |$)/u.test(words.join(' '))) return undefined;
  const compact = parts.map((part) => part.compact).join('');
  if (compact === 'k9') return [canine];
  return [
    [...joinParts(withDesignators(parts)), ...(/^[0-9]{1,2}[lrc]$/u.test(compact) ? [`0${compact}`.slice(-3)] : [])],
  ];
}

/** Not said as another word for K. */
export const canine: readonly string[] = ['k9', 'k 9', 'k nine', 'canine', 'canines'];

const isLetter = (word: string | undefined): boolean => word !== undefined && /^[a-z]$/u.test(word);

/**
 * How many of the words, from this one on, spell a code: at least two letters, or one that is no word and a number, with
 * the numbers before and after them, and further letters: w 1 a w.
 */
export function countCodeWords(words: readonly string[], from: number): number {
  const before = countNumberWords(words, from);
  let count = before;
  for (let isFirst = true; ; isFirst = false) {
    const letters = countLetters(words, from + count);
    const after = countNumberWords(words, from + count + letters);
    const isWord = /[aio]/u.test(words[from + count] ?? '');
    const isCode = letters > 1 || (letters === 1 && !isWord && (!isFirst || before + after > 0));
    if (!isCode) return isFirst ? 0 : count;
    count += letters + after;
    if (after === 0) return count;
  }
}

function countLetters(words: readonly string[], from: number): number {
  let count = 0;
  while (count < mostLetters && isLetter(words[from + count])) count += 1;
  return count;
}
