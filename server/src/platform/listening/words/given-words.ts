import type { GivenWord } from '../engine.ts';

/** A word to place, and where it is expected. */
export interface ExpectedWord {
  readonly text: string;
  /** Its middle; undefined only if no word of the text has a time. */
  readonly aboutMs: number | undefined;
  /** The given time of the word. */
  readonly known: { readonly startMs: number; readonly endMs: number } | undefined;
}

/** The approximate time to say a letter, if nothing else is known. */
const letterMs = 80;

const weightOf = ({ text }: { readonly text: string }): number => text.length + 1;

/** Where to search for each word: at its own time, or between neighbours with a time. */
export function expectWords(words: readonly GivenWord[]): ExpectedWord[] {
  const known = keepOrdered(words);
  const anchors = known.flatMap((time, at) => (time ? [{ at, ms: (time.startMs + time.endMs) / 2 }] : []));
  if (anchors.length === 0) return words.map(({ text }) => ({ text, aboutMs: undefined, known: undefined }));
  const weights = sumUp(words);
  const middleOf = (at: number) => (weights[at]! + weights[at + 1]!) / 2;
  let next = 0;
  return words.map(({ text }, at) => {
    while (next < anchors.length && anchors[next]!.at < at) next += 1;
    const [before, after] = [anchors[next - 1], anchors[next]];
    const lettersFrom = (anchor: { at: number }) => middleOf(at) - middleOf(anchor.at);
    let aboutMs: number;
    if (after?.at === at) aboutMs = after.ms;
    else if (before && after) {
      const share = lettersFrom(before) / (middleOf(after.at) - middleOf(before.at));
      // Before a pause rather than in it, because words follow each other closely.
      aboutMs = before.ms + Math.min(share * (after.ms - before.ms), lettersFrom(before) * letterMs);
    } else {
      const anchor = (before ?? after)!;
      aboutMs = Math.max(0, anchor.ms + lettersFrom(anchor) * letterMs);
    }
    return { text, aboutMs, known: known[at] };
  });
}

/** Ignores times that are invalid or earlier than a previous word's. */
function keepOrdered(words: readonly GivenWord[]): ExpectedWord['known'][] {
  let last = 0;
  return words.map(({ startMs, endMs = startMs }) => {
    if (startMs === undefined || endMs === undefined) return undefined;
    if (!Number.isFinite(startMs) || !Number.isFinite(endMs) || startMs < last || endMs < startMs) return undefined;
    last = startMs;
    return { startMs, endMs };
  });
}

/** The weight of all words before each word, and of all words. */
export function sumUp(words: readonly { readonly text: string }[]): number[] {
  const sums = [0];
  for (const word of words) sums.push(sums.at(-1)! + weightOf(word));
  return sums;
}
