import type { Segment, Word } from './engine.ts';

const pauseMs = 1_000;
const mostSegmentMs = 12_000;
const titles = /^(?:mr|mrs|ms|dr|st)\.$/i;

const endsSentence = ({ text }: Word) => /[.?!…。？！]["'”’)]?$/.test(text) && !titles.test(text);

/** Splits words into segments for display: whole sentences if possible, never across a pause. */
export function cutWords(words: readonly Word[]): Segment[] {
  const parts: Word[][] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const current = parts.at(-1);
    const isNew =
      !before ||
      !current ||
      endsSentence(before) ||
      word.startMs - before.endMs >= pauseMs ||
      word.endMs - current[0]!.startMs > mostSegmentMs;
    if (isNew) parts.push([word]);
    else current.push(word);
  }
  return parts.map((part) => ({
    startMs: part[0]!.startMs,
    endMs: part.at(-1)!.endMs,
    text: part.map(({ text }) => text).join(' '),
    words: part,
    confidence: Math.round(part.reduce((sum, { confidence }) => sum + confidence, 0) / part.length),
    isLanguageKnown: true,
  }));
}

/** Speech for which the engine found no words. */
export const unclearSegment = (startMs: number, endMs: number): Segment => ({
  startMs,
  endMs,
  text: '',
  words: [],
  confidence: 0,
  isLanguageKnown: true,
  isUnderstood: false,
});

/** Speech in a language that the engine does not support, or may not support. */
export const unknownSegment = (startMs: number, endMs: number): Segment => ({
  ...unclearSegment(startMs, endMs),
  isLanguageKnown: false,
});
