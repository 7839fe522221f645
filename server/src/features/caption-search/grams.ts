/*
 * What the index knows of a text: which runs of one, two and three signs are in it, blanks between words included, which
 * runs of four are in its words, and which two signs before a blank meet which two after it. A text that contains a phrase has all runs of the phrase. One
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

// Apart from a meeting of the same signs.
const longRun = (a: number, b: number, c: number, d: number): number => run(a, b, c, d) ^ 0x5bd1e995;

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
    if (b !== blank && c !== blank && d !== blank && e !== blank) grams.add(longRun(b, c, d, e));
    if (isMeeting(a, b, c, d, e)) grams.add(run(a, b, d, e));
    [a, b, c, d] = [b, c, d, e];
  }
  const all = [...grams];
  const last = all.at(-1) ?? 0;
  while (all.length < fewestStored) all.push(last);
  return all;
}

/** More would cost more than they save; those of a long search are taken from all over it. */
const mostGrams = 8;

/** The grams by which captions that may contain all phrases are looked up. */
export function gramsToFind(phrases: readonly string[]): number[] {
  const grams = [...new Set(phrases.flatMap(gramsOfPhrase))];
  const step = Math.max(1, grams.length / mostGrams);
  return Array.from({ length: Math.min(grams.length, mostGrams) }, (_, index) => grams[Math.floor(index * step)] ?? 0);
}

/** The rarest that there are: runs of four where a word is long enough, and meetings before runs across a blank. */
function gramsOfPhrase(phrase: string): number[] {
  const words = phrase.split(' ').map(signsOf);
  const long = words.flatMap((signs) =>
    signs.slice(3).map((e, at) => longRun(signs[at]!, signs[at + 1]!, signs[at + 2]!, e)),
  );
  if (words.length === 1) return long.length > 0 ? long : [shortRun(words[0] ?? [])];
  const across = words.slice(1).flatMap((after, at) => {
    const before = words[at] ?? [];
    const [a, b] = before.slice(-2);
    const [d, e] = after;
    if (b !== undefined && e !== undefined) return [run(a!, b, d!, e)];
    const end = b === undefined ? [] : [run(a!, b, blank)];
    const start = e === undefined ? [] : [run(blank, d!, e)];
    return [run(before.at(-1) ?? 0, blank, d ?? 0), ...end, ...start];
  });
  return [...across, ...long];
}

const shortRun = ([first = 0, second = 0, third = 0]: readonly number[]): number => run(first, second, third);
