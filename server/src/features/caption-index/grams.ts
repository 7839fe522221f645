/*
 * The grams of a text: every run of one to four characters within its words, runs across the blank between two words with
 * up to three characters on either side (except one with three), whole words of up to five characters, and the first
 * and the last one to three characters of the text. A text that contains a phrase has all grams of the phrase. A text
 * that has them all very likely contains the phrase; comparing the text itself decides.
 */

const blank = 32;
/** Signs that no text contains. */
const [startSign, endSign] = [2, 3];

// Odd numbers without a pattern. Two different runs rarely get the same number, and that does no harm.
const factors = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1, 0x2545f491, 0x5bd1e995];

const run = (signs: readonly number[], from = 0, length = signs.length): number => {
  let sum = 0;
  for (let at = 0; at < length; at++) sum += Math.imul(signs[from + at]!, factors[at]!);
  return sum | 0;
};

/** A number for a text of any length. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of signsOf(text)) hash = Math.imul(hash ^ sign, 0x01000193);
  return hash | 0;
}

function signsOf(text: string): number[] {
  const signs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.codePointAt(at) ?? 0;
    if (sign > 0xffff) at += 1;
    signs.push(sign);
  }
  return signs;
}

/**
 * PostgreSQL keeps a row of up to 2 KB in one piece, so a scan over the texts would read the grams too. Only the index
 * uses the grams, and it ignores duplicates; padding them to this number moves them to separate storage.
 */
const fewestStored = 512;

const longestRun = 4;

/** The numbers of characters before and after a blank that form a gram. */
const meetings = [
  [3, 3],
  [3, 2],
  [2, 3],
  [2, 2],
  [2, 1],
  [1, 2],
  [1, 1],
] as const;

/** All grams of a normalised text, as they are stored. */
export function gramsOf(text: string): number[] {
  const words = wordsOf(text);
  const grams = new Set<number>();
  for (const [at, word] of words.entries()) {
    for (let length = 1; length <= longestRun; length++) for (const gram of runsOf(word, length)) grams.add(gram);
    if (word.length <= longestWhole) grams.add(wholeOf(word));
    const next = words[at + 1];
    if (next) for (const gram of meetingsOf(word, next)) grams.add(gram);
  }
  for (let length = 1; length <= longestEdge; length++) {
    if (words[0]!.length >= length) grams.add(startOf(words[0]!, length));
    if (words.at(-1)!.length >= length) grams.add(endOf(words.at(-1)!, length));
  }
  const all = [...grams];
  const last = all.at(-1) ?? 0;
  while (all.length < fewestStored) all.push(last);
  return all;
}

const wordsOf = (text: string): number[][] => text.trim().split(' ').map(signsOf);

function runsOf(word: readonly number[], length: number): number[] {
  const runs: number[] = [];
  for (let from = 0; from + length <= word.length; from++) runs.push(run(word, from, length));
  return runs;
}

/** A longer word has enough grams that other words lack. */
const longestWhole = 5;
const wholeOf = (word: readonly number[]): number => run([blank, ...word, blank]);

const longestEdge = 3;
const startOf = (word: readonly number[], length: number): number => run([startSign, ...word.slice(0, length)]);
const endOf = (word: readonly number[], length: number): number => run([...word.slice(-length), endSign]);

/** The rarest grams first. */
const meetingsOf = (word: readonly number[], next: readonly number[]): number[] =>
  meetings
    .filter(([before, after]) => word.length >= before && next.length >= after)
    .map(([before, after]) => run([...word.slice(-before), blank, ...next.slice(0, after)]));

/** More grams would cost more time than they save. Those of a long search are taken from all of its parts. */
export const mostGrams = 8;

/** The rarest grams of the phrase: those across its words, and its longest runs. */
export function gramsOfPhrase(phrase: string): number[] {
  const words = wordsOf(phrase);
  const long = words.flatMap((word) => runsOf(word, longestRun));
  const [only] = words;
  if (words.length === 1 && only) return long.length > 0 ? long : [run(only)];
  const across = words.slice(1).flatMap((next, at) => meetingsOf(words[at]!, next).slice(0, 1));
  return [...across, ...long];
}

/** The rarest grams of the phrase, if it occurs as whole words. */
export function gramsOfWords(phrase: string): number[] {
  const [word, ...more] = wordsOf(phrase);
  return word && more.length === 0 && word.length <= longestWhole ? [wholeOf(word)] : gramsOfPhrase(phrase);
}

/** The grams of a text that begins, or ends, with these words. */
export function gramsOfEdge(words: string, edge: 'start' | 'end'): number[] {
  const all = wordsOf(words);
  const word = edge === 'start' ? all[0]! : all.at(-1)!;
  const length = Math.min(longestEdge, word.length);
  return [edge === 'start' ? startOf(word, length) : endOf(word, length), ...gramsOfPhrase(words)];
}
