import { homophonesOf } from './homophones.ts';

/*
 * Words that are found as a second choice: words that sound alike, and words that the searched one may be a misspelling
 * of. Only words of the letters a to z, because the rules are those of English.
 */

/** `narrow`: words that sound the same. `wide`: also words with other letters, for a word that nobody said. */
export type Breadth = 'narrow' | 'wide';

const [shortest, longest] = [4, 24];
const isComparable = new RegExp(`^[a-z]{${shortest},${longest}}$`, 'u');

/** Whether words similar to this one are known. */
export const hasSimilar = (word: string): boolean => isComparable.test(word) || homophonesOf(word).length > 0;

const rules: readonly (readonly [RegExp, string])[] = [
  [/(.)\1+/gu, '$1'],
  [/^(?:kn|gn|pn)/u, 'n'],
  [/^wr/u, 'r'],
  [/^ps/u, 's'],
  [/^x/u, 's'],
  [/^wh/u, 'w'],
  [/mb$/u, 'm'],
  [/ph/gu, 'f'],
  [/(?:ght|gt)/gu, 't'],
  [/gh$/u, ''],
  [/sch/gu, 'sk'],
  [/(?:tion|sion|cion|cian)/gu, 'xn'],
  [/(?:tch|ch|sh)/gu, 'x'],
  [/th/gu, '0'],
  [/ck/gu, 'k'],
  [/dg/gu, 'j'],
  [/c(?=[eiy])/gu, 's'],
  [/[cq]/gu, 'k'],
  [/g(?=[eiy])/gu, 'j'],
  [/z/gu, 's'],
  [/v/gu, 'f'],
  [/(?<=.)[aeiouyhw]/gu, ''],
  [/^[aeiouy]/u, 'a'],
  [/(.)\1+/gu, '$1'],
];

/** The consonants as they sound, and whether the word begins with a vowel. */
export const soundOf = (word: string): string =>
  rules.reduce((sound, [pattern, replacement]) => sound.replace(pattern, replacement), word);

/** The word without one letter, for every letter, and the word itself. Words that differ in one letter share one. */
export const shortenedOf = (word: string): readonly string[] => [
  ...new Set([word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]),
];

/** The letters to insert, remove, replace or swap with the next one to turn one word into the other. */
export function countEdits(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) least = Math.min(least, before[column - 2]! + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[other.length]!;
}

/**
 * The word as two words, of which one lacks a letter that it had twice: `arrest` is also heard as `a rest`. Splits with all
 * letters are variants of the term.
 */
export const splitsWithoutDouble = (word: string): readonly string[] =>
  Array.from(word)
    .map((letter, at) => {
      const isDouble = at > 1 && letter === word[at - 1] && word.length - at >= shortestRest;
      return isDouble ? `${word.slice(0, at - 1)} ${word.slice(at)}` : '';
    })
    .filter((split) => split !== '');

const shortestRest = 3;

const shortestTypo = 4;
const shortestNarrow = 7;

/** How far another word is from this one: less is more similar. Undefined if it is not similar. */
export function distanceOf(word: string, other: string, breadth: Breadth): number | undefined {
  if (other === word) return undefined;
  if (homophonesOf(word).includes(other)) return 0;
  if (!isComparable.test(word) || !isComparable.test(other)) return undefined;
  const edits = countEdits(word, other);
  const length = Math.min(word.length, other.length);
  if (soundOf(word) === soundOf(other)) {
    if (length >= shortestNarrow && edits <= 2) return edits;
    if (breadth === 'wide' && edits <= (length < 6 ? 1 : length < 9 ? 2 : 3)) return edits;
  }
  return breadth === 'wide' && edits === 1 && length >= shortestTypo && word[0] === other[0] ? 1 : undefined;
}
