import type { Caption } from '@earshot/contract/caption';

type Segment = Caption['segments'][number];
export type TranscriptWord = Segment['words'][number];

/** A line of the transcript: speech without a pause. */
export interface Line {
  readonly startMs: number;
  readonly endMs: number;
  readonly isLanguageKnown: boolean;
  readonly words: readonly TranscriptWord[];
  /** Index of its first word among all words. */
  readonly first: number;
}

export function linesOf({ segments }: Pick<Caption, 'segments'>): readonly Line[] {
  let first = 0;
  return segments.map(({ startMs, endMs, isLanguageKnown, words, text }) => {
    const said = words.length > 0 || text === '' ? words : [{ text, startMs, endMs, confidence: 0 }];
    const line = { startMs, endMs, isLanguageKnown, words: said, first };
    first += said.length;
    return line;
  });
}

export const wordsOf = (lines: readonly Line[]): readonly TranscriptWord[] => lines.flatMap(({ words }) => words);

/** Index of the last word that has started, or -1 before the first. */
export function lastStartedWord(words: readonly TranscriptWord[], ms: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.startMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A word stays highlighted this long after its end, so that short gaps do not flicker. */
const pauseMs = 350;

/** Index of the current word, or -1 in a pause. */
export function wordAt(words: readonly TranscriptWord[], ms: number): number {
  const at = lastStartedWord(words, ms);
  const word = words[at];
  return word && ms < word.endMs + pauseMs ? at : -1;
}

/** Start of the previous or next word. */
export function stepWord(words: readonly TranscriptWord[], ms: number, step: 1 | -1): number | undefined {
  const at = lastStartedWord(words, ms);
  if (step === 1) return words[at + 1]?.startMs;
  const word = words[at];
  // In the middle of a word, back goes to its own start.
  if (word && ms - word.startMs > 400) return word.startMs;
  return words[at - 1]?.startMs ?? (at === 0 ? 0 : undefined);
}

/** Offset of a word in the text, for the cursor. */
export function placeInText(transcript: string, words: readonly TranscriptWord[], at: number): number {
  let place = 0;
  for (const { text } of words.slice(0, at + 1)) {
    const found = transcript.indexOf(text, place);
    if (found < 0) continue;
    place = found + text.length;
  }
  return place;
}
