import { cutWords, unclearSegment, unknownSegment } from '../cut-words.ts';
import type { Segment, Word } from '../engine.ts';
import type { TimedSpeech } from './find-speech.ts';
import type { Recognised } from './recogniser.ts';
import { isWordless } from './recogniser.ts';
import { isSpeech, isVoiceCertain } from './speech-evidence.ts';
import type { TranscribedStretch } from './stretch-transcriber.ts';

/**
 * The segments of a stretch of speech: its words, however unsure; a mark if it was not understood, or is in a language
 * that is not supported, with the words that were written in another one; nothing if it was probably no speech.
 */
export function makeSegments(
  stretch: TimedSpeech,
  transcribed: TranscribedStretch,
  ofClip: string | undefined,
): Segment[] {
  const { recognised, isConfirmed } = transcribed;
  const isOther = ofClip !== undefined && transcribed.language !== ofClip;
  const mark = (segment: Segment) => (isOther ? { ...segment, language: transcribed.language } : segment);
  if (!recognised || (!isConfirmed && isWordless(recognised)))
    return isVoiceCertain(stretch) ? [mark(foreignSegment(stretch))] : [];
  if (!isSpeech(stretch, recognised)) return [];
  if (!isConfirmed) return cutWords(placeWords(stretch, recognised)).map((one) => mark(unconfirmed(one, recognised)));
  if (isWordless(recognised)) return [mark(unclearSegment(stretch.startMs, stretch.endMs))];
  return cutWords(placeWords(stretch, recognised)).map(mark);
}

/** Speech in a language that is not supported, with what was written in another one. */
const unconfirmed = ({ startMs, endMs, words }: Segment, { language }: Recognised): Segment => ({
  ...unknownSegment(startMs, endMs),
  unconfirmed: { language, words },
});

/** Speech in a language that is not supported. */
export const foreignSegment = ({ startMs, endMs }: TimedSpeech): Segment => unknownSegment(startMs, endMs);

/** Words without times are distributed over the stretch by their length. */
function placeWords({ startMs, endMs }: TimedSpeech, { words, places }: Recognised): Word[] {
  const letters = words.reduce((sum, { text }) => sum + text.length + 1, 0);
  let spread = 0;
  return words.map(({ text, logProbability, heardAs }, at) => {
    const share = (endMs - startMs) / letters;
    const from = places ? places[at]!.startSeconds * 1_000 : spread * share;
    spread += text.length + 1;
    const to = places ? places[at]!.endSeconds * 1_000 : spread * share;
    const confidence = Math.round(100 * Math.exp(logProbability));
    const within = (ms: number) => Math.min(Math.round(startMs + ms), endMs);
    const word = { text, startMs: within(from), endMs: within(to), confidence };
    return heardAs === undefined ? word : { ...word, heardAs };
  });
}
