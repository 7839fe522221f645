/*
 * What the index knows of a text: which runs of one, two and three signs are in it, blanks between words included, and
 * which two signs before a blank meet which two after it. A text that contains a phrase has all runs of the phrase. One
 * that has them all most likely contains it; the text itself decides.
 */

const blank = 32;

// Odd numbers without a pattern. That two runs get the same number is rare and harmless.
const run = (first: number, second: number, third: number, fourth = 0): number =>
  (Math.imul(first, 0x9e3779b1) +
    Math.imul(second, 0x85ebca6b) +
    Math.imul(third, 0xc2b2ae35) +
    Math.imul(fourth, 0x27d4eb2f)) |
  0;

function signsOf(text: string): number[] {
  const signs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.codePointAt(at) ?? 0;
    if (sign > 0xffff) at += 1;
    signs.push(sign);
  }
  return signs;
}

const isMeeting = (a: number, b: number, c: number, d: number, e: number): boolean =>
  c === blank && a !== blank && b !== blank && d !== blank && e !== blank;

/**
 * The database keeps a row of up to 2 KB in one piece, and looking through texts would read the grams along with them.
 * As they are only ever read by the index, which takes each once, they are made long enough to be kept elsewhere.
 */
const fewestStored = 512;

/** All grams of a comparable text, as they are stored. */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>();
  let [a, b, c, d] = [blank, blank, blank, blank];
  for (const e of signsOf(text)) {
    if (e !== blank) {
      grams.add(run(e, 0, 0));
      if (d !== blank) grams.add(run(d, e, 0));
    }
    grams.add(run(c, d, e));
    if (isMeeting(a, b, c, d, e)) grams.add(run(a, b, d, e));
    [a, b, c, d] = [b, c, d, e];
  }
  const all = [...grams];
  const last = all.at(-1) ?? 0;
  while (all.length < fewestStored) all.push(last);
  return all;
}

/** More would cost more than they save; those of a long search are taken from all over it. */
const mostGrams = 12;

/** The grams by which captions that may contain all phrases are looked up. */
export function gramsToFind(phrases: readonly string[]): number[] {
  const grams = [...new Set(phrases.flatMap(gramsOfPhrase))];
  const step = Math.max(1, grams.length / mostGrams);
  return Array.from({ length: Math.min(grams.length, mostGrams) }, (_, index) => grams[Math.floor(index * step)] ?? 0);
}

/** Runs of short words are everywhere: beside a meeting of words they are left out. */
const longEnough = 4;

function gramsOfPhrase(phrase: string): number[] {
  const signs = signsOf(phrase);
  const [first = 0, second = 0] = signs;
  if (signs.length < 3) return [run(first, second, 0)];
  const all = runsOf(signs);
  const meetings = signs.slice(4).flatMap((e, at) => {
    const [a = 0, b = 0, c = 0, d = 0] = signs.slice(at, at + 4);
    return isMeeting(a, b, c, d, e) ? [run(a, b, d, e)] : [];
  });
  const words = phrase.split(' ');
  // Where a word is a single sign, there is no meeting.
  if (meetings.length === 0 || meetings.length < words.length - 1) return [...all, ...meetings];
  const inWords = words
    .map(signsOf)
    .filter(({ length }) => length >= longEnough)
    .flatMap(runsOf);
  return [...meetings, ...inWords];
}

const runsOf = (signs: readonly number[]): number[] =>
  signs.slice(2).map((third, at) => run(signs[at] ?? 0, signs[at + 1] ?? 0, third));
