import type { PatternPlace } from './pattern.ts';

/*
 * Letters said as words: the alphabet of the police (APCO) and that of aviation (ICAO). A word of an alphabet is a letter
 * only beside other letters or a number, because most are names.
 */
const apco =
  'adam boy charles david edward frank george henry ida john king lincoln mary nora ocean paul queen robert sam tom union victor william xray young zebra';
const icao =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu';
/** Other words, and other ways to write them. */
const others: Readonly<Record<string, readonly string[]>> = {
  a: ['alfa'],
  j: ['juliett'],
  n: ['nancy'],
  o: ['oh'],
  w: ['whisky'],
  x: ['x ray'],
  y: ['yellow'],
};

const alphabets = [apco, icao].map((words) => words.split(' '));
const letters = Array.from('abcdefghijklmnopqrstuvwxyz');

const waysOf = new Map(
  letters.map((letter, at) => [
    letter,
    [...new Set([letter, ...alphabets.map((words) => words[at]!), ...(others[letter] ?? [])])],
  ]),
);

const letterOf = new Map<string, string>();
for (const [letter, ways] of waysOf)
  for (const word of ways) if (word.length > 1 && word !== 'oh') letterOf.set(word, letter);

/** The letter that a word of an alphabet stands for. */
export const spelledLetter = (word: string): string | undefined => letterOf.get(word);

/** The letters one by one, each as itself or as a word. */
export const spellPattern = (word: string): readonly PatternPlace[] =>
  Array.from(word, (letter): PatternPlace => waysOf.get(letter) ?? [letter]);
