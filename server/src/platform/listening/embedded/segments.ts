import { cutWords, unknownSegment } from '../cut-words.ts';
import type { Word } from '../engine.ts';
import type { RecognisedSpeech, Transcription } from './transcription.ts';

/** A short stretch is judged together with its clip: the clip's mean counts as this number of additional steps. */
const stepsOfTheRest = 6;

/** Decides which stretches of a clip were understood. */
export function makeSegments(
  heard: readonly RecognisedSpeech[],
  leastLogProbability: number,
  soundMs: number,
): Omit<Transcription, 'soundMs'> {
  const steps = heard.reduce((sum, { recognised }) => sum + recognised.steps, 0);
  const total = heard.reduce((sum, { recognised }) => sum + recognised.logProbability * recognised.steps, 0);
  const ofClip = steps > 0 ? total / steps : 0;
  const isUnderstood = ({ recognised }: RecognisedSpeech) => {
    const sum = recognised.logProbability * recognised.steps + ofClip * stepsOfTheRest;
    return !recognised.isNonsense && sum / (recognised.steps + stepsOfTheRest) >= leastLogProbability;
  };
  // Voice without words, such as a cough, is not reported.
  const speech = heard.filter(({ recognised }) => recognised.isNonsense || recognised.words.length > 0);
  const understood = speech.filter(isUnderstood);
  const lengthOf = (list: readonly RecognisedSpeech[]) =>
    list.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const isLanguageKnown = lengthOf(understood) * 2 >= lengthOf(speech);
  const segments = speech.flatMap((stretch) =>
    isUnderstood(stretch)
      ? cutWords(placeWords(stretch, soundMs))
      : [unknownSegment(stretch.startMs, Math.min(stretch.endMs, soundMs))],
  );
  const language = isLanguageKnown ? mostSpoken(understood) : undefined;
  return { segments, language, isLanguageKnown };
}

function mostSpoken(understood: readonly RecognisedSpeech[]): string | undefined {
  const lengths = new Map<string, number>();
  for (const { startMs, endMs, recognised } of understood) {
    lengths.set(recognised.language, (lengths.get(recognised.language) ?? 0) + endMs - startMs);
  }
  return [...lengths].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Words without times are distributed over the stretch by their length. */
function placeWords({ startMs, endMs, recognised }: RecognisedSpeech, soundMs: number): Word[] {
  const { words, places } = recognised;
  const letters = words.reduce((sum, { text }) => sum + text.length + 1, 0);
  let spread = 0;
  return words.map(({ text, logProbability }, at) => {
    const share = (endMs - startMs) / letters;
    const from = places ? places[at]!.startSeconds * 1_000 : spread * share;
    spread += text.length + 1;
    const to = places ? places[at]!.endSeconds * 1_000 : spread * share;
    const confidence = Math.round(100 * Math.exp(logProbability));
    const within = (ms: number) => Math.min(Math.round(startMs + ms), soundMs);
    return { text, startMs: within(from), endMs: within(to), confidence };
  });
}
