import { countNumberWords, formsOfNumber } from './search-numbers.ts';

/*
 * Codes of letters and numbers: call signs, plates, roads, flights. The letters may be spelled, and the numbers said:
 *
 *   KLM456    klm 456    k l m 4 5 6    k l m four five six
 *   K-9       k9         k nine
 *   unit-7    unit seven
 */

const mostSpelled = 4;
const mostParts = 4;
const mostLetters = 8;

/** Runs of letters and of numbers; undefined if the words have any other character. */
function readParts(words: readonly string[]): readonly (readonly string[])[] | undefined {
  if (!words.every((word) => /^[a-z0-9]+$/u.test(word))) return undefined;
  const parts: string[][] = [];
  for (let at = 0; at < words.length;) {
    const numbers = countNumberWords(words, at);
    if (numbers > 0) parts.push(formsInCode(words.slice(at, at + numbers)));
    else for (const part of words[at]!.match(/[a-z]+|[0-9]+/gu) ?? []) parts.push(formsOfPart(part));
    at += Math.max(1, numbers);
  }
  return parts.some(({ length }) => length === 0) ? undefined : parts;
}

/** In codes a number is not said as `one hundred and twenty three`. */
const formsInCode = (words: readonly string[]): string[] =>
  formsOfNumber(words).filter((form) => !/(?:hundred|thousand) /u.test(form));

function formsOfPart(part: string): string[] {
  if (/^[0-9]/u.test(part)) return formsInCode([part]);
  return part.length > 1 && part.length <= mostSpelled ? [part, Array.from(part).join(' ')] : [part];
}

/** The words with adjacent single letters as one word: `u a four twelve` is `ua four twelve`. */
const joinLetters = (words: readonly string[]): string[] =>
  words
    .join(' ')
    .replaceAll(/(?<=\b[a-z]) (?=[a-z]\b)/gu, '')
    .split(' ');

/** All ways to write or say a code of these words; none if they have no letters or no number. */
export function formsOfCode(words: readonly string[]): readonly string[] {
  const joined = joinLetters(words);
  const parts = readParts(joined);
  const isSpelled = joined.length < words.length;
  if (!parts || parts.length > mostParts || (parts.length < 2 && !isSpelled)) return [];
  if (!isSpelled && !/[0-9]|(?:^| )[a-z](?: |$)/u.test(words.join(' '))) return [];
  const compact = parts.map(([first]) => first!);
  const spaced = parts.reduce<readonly string[]>(
    (before, forms) => forms.flatMap((form) => before.map((start) => `${start} ${form}`.trim())),
    [''],
  );
  return [...new Set([compact.join(''), ...spaced])];
}

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
