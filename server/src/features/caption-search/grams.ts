/*
 * What the index knows of a text: which runs of one, two and three signs are in it, blanks between words included. A
 * text that contains a phrase has all runs of the phrase. One that has them all most likely contains it; the text
 * itself decides.
 */

const blank = 32;

// Odd numbers without a pattern. That two runs get the same number is rare and harmless.
const run = (first: number, second: number, third: number): number =>
  (Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b) + Math.imul(third, 0xc2b2ae35)) | 0;

function signsOf(text: string): number[] {
  const signs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.codePointAt(at) ?? 0;
    if (sign > 0xffff) at += 1;
    signs.push(sign);
  }
  return signs;
}

/** All grams of a comparable text. */
export function gramsOf(text: string): number[] {
  const signs = signsOf(text);
  const grams = new Set<number>();
  let [first, second] = [blank, blank];
  for (const third of signs) {
    if (third !== blank) {
      grams.add(run(third, 0, 0));
      if (second !== blank) grams.add(run(second, third, 0));
    }
    grams.add(run(first, second, third));
    first = second;
    second = third;
  }
  return [...grams];
}

/** More would cost more than they save; those of a long search are taken from all over it. */
const mostGrams = 16;

/** The grams by which captions that may contain all phrases are looked up. */
export function gramsToFind(phrases: readonly string[]): number[] {
  const grams = [...new Set(phrases.flatMap(gramsOfPhrase))];
  const step = Math.max(1, grams.length / mostGrams);
  return Array.from({ length: Math.min(grams.length, mostGrams) }, (_, index) => grams[Math.floor(index * step)] ?? 0);
}

function gramsOfPhrase(phrase: string): number[] {
  const signs = signsOf(phrase);
  const [first = 0, second = 0] = signs;
  if (signs.length < 3) return [run(first, second, 0)];
  return signs.slice(2).map((third, at) => run(signs[at] ?? 0, signs[at + 1] ?? 0, third));
}
