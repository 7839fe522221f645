import { deflateSync } from 'node:zlib';
import type { Segment } from '../../../platform/listening/engine.ts';

export const inSeconds = (ms: number): number => Math.round(ms) / 1000;

/** A confidence is the probability of the tokens in percent, so this is their mean logarithm; −4.6 at least. */
export const logProbability = (confidence: number): number =>
  Math.round(Math.log(Math.max(1, confidence) / 100) * 10_000) / 10_000;

/** How much the text repeats itself, as Whisper computes it. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return Math.round((bytes.length / deflateSync(bytes).length) * 10_000) / 10_000;
}

/** All fields of a segment of `verbose_json`. The engines have no tokens of Whisper, no temperature and no silence. */
export const segmentFields = ({ startMs, endMs, text, confidence }: Segment, id: number) => ({
  id,
  seek: Math.floor(startMs / 10),
  start: inSeconds(startMs),
  end: inSeconds(endMs),
  text,
  tokens: [],
  temperature: 0,
  avg_logprob: logProbability(confidence),
  compression_ratio: compressionRatio(text),
  no_speech_prob: 0,
});

/** These APIs name languages in English and in lower case. */
export function englishLanguageName(tag: string | undefined): string {
  if (tag === undefined) return 'unknown';
  try {
    return (new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag).toLowerCase();
  } catch {
    // A remote engine may have given a tag that is none.
    return tag;
  }
}
