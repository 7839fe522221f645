import { cutWords, unknownSegment } from '../cut-words.ts';
import type { Word } from '../engine.ts';
import type { Heard, ListeningResult } from './heard.ts';

/** A short stretch is judged by the rest of its clip too, as if it held that many more steps like the rest. */
const stepsOfTheRest = 6;

/** Decides what of a clip was understood. */
export function makeSegments(
  heard: readonly Heard[],
  leastLogProbability: number,
  soundMs: number,
): Omit<ListeningResult, 'soundMs'> {
  const steps = heard.reduce((sum, { recognised }) => sum + recognised.steps, 0);
  const total = heard.reduce((sum, { recognised }) => sum + recognised.logProbability * recognised.steps, 0);
  const ofClip = steps > 0 ? total / steps : 0;
  const isUnderstood = ({ recognised }: Heard) => {
    const sum = recognised.logProbability * recognised.steps + ofClip * stepsOfTheRest;
    return !recognised.isNonsense && sum / (recognised.steps + stepsOfTheRest) >= leastLogProbability;
  };
  // A voice without words, such as a cough, is nothing to report.
  const speech = heard.filter(({ recognised }) => recognised.isNonsense || recognised.words.length > 0);
  const understood = speech.filter(isUnderstood);
  const lengthOf = (list: readonly Heard[]) => list.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const isLanguageKnown = lengthOf(understood) * 2 >= lengthOf(speech);
  const segments = speech.flatMap((stretch) =>
    isUnderstood(stretch)
      ? cutWords(placeWords(stretch, soundMs))
      : [unknownSegment(stretch.startMs, Math.min(stretch.endMs, soundMs))],
  );
  const language = isLanguageKnown ? mostSpoken(understood) : undefined;
  return { segments, language, isLanguageKnown };
}

function mostSpoken(understood: readonly Heard[]): string | undefined {
  const lengths = new Map<string, number>();
  for (const { startMs, endMs, recognised } of understood) {
    lengths.set(recognised.language, (lengths.get(recognised.language) ?? 0) + endMs - startMs);
  }
  return [...lengths].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Words whose places are not known are spread over the stretch by their length. */
function placeWords({ startMs, endMs, recognised }: Heard, soundMs: number): Word[] {
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
