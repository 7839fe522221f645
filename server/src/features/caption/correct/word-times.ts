import type { Word } from '../../../platform/listening/engine.ts';
import { matchWords } from './word-diff.ts';

/** The confidence of a word that a person wrote. */
export const certain = 100;

/**
 * The words of a corrected transcript with their times. Kept words keep their times, and their confidence unless they are
 * written differently. New words share the time of the words that they replace, or else the pause in which they occur, in
 * proportion to their lengths.
 */
export function keepWordTimes(transcript: string, former: readonly Word[], lengthMs: number): Word[] {
  const texts = transcript.split(/\s+/).filter((text) => text !== '');
  const matches = matchWords(
    former.map(({ text }) => text),
    texts,
  );
  const words: Word[] = [];
  /** The former words before this index are processed. */
  let next = 0;
  for (let at = 0; at < texts.length;) {
    const match = matches[at]!;
    if (match >= 0) {
      const { text: was, startMs, endMs, confidence } = former[match]!;
      words.push({ text: texts[at]!, startMs, endMs, confidence: texts[at] === was ? confidence : certain });
      next = match + 1;
      at += 1;
      continue;
    }
    let end = at;
    while (end < texts.length && matches[end]! < 0) end += 1;
    const until = end < texts.length ? matches[end]! : former.length;
    const replaced = former.slice(next, until);
    const startMs = replaced[0]?.startMs ?? former[next - 1]?.endMs ?? 0;
    const endMs = replaced.at(-1)?.endMs ?? former[until]?.startMs ?? lengthMs;
    words.push(...shareTime(texts.slice(at, end), startMs, Math.max(startMs, endMs)));
    at = end;
  }
  return words;
}

function shareTime(texts: readonly string[], startMs: number, endMs: number): Word[] {
  const whole = texts.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  const momentAt = (letters: number) => Math.round(startMs + ((endMs - startMs) * letters) / whole);
  return texts.map((text) => {
    const from = momentAt(before);
    before += text.length;
    return { text, startMs: from, endMs: momentAt(before), confidence: certain };
  });
}
