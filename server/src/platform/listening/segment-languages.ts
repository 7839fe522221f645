import type { Captions, Segment } from './engine.ts';

/*
 * A segment is marked with its language only if that is not the language of its clip. The latter is decided from the first
 * seconds, for the recogniser; what counts in the end are the words: a clip has the language of most of its speech.
 */

type Heard = Pick<Captions, 'language' | 'segments' | 'isLanguageKnown'>;

export function settleLanguage<Result extends Heard>(captions: Result): Result {
  const { language: decided, segments } = captions;
  if (decided === undefined) return captions;
  const lengths = new Map([[decided, 0]]);
  for (const { language = decided, startMs, endMs } of segments) {
    lengths.set(language, (lengths.get(language) ?? 0) + endMs - startMs);
  }
  const language = [...lengths].reduce((most, other) => (other[1] > most[1] ? other : most))[0];
  return { ...captions, language, segments: markLanguages(segments, decided, language) };
}

/** The segments of a clip in one language, as those of a clip in another one. */
export function markLanguages(
  segments: readonly Segment[],
  from: string | undefined,
  to: string | undefined,
): readonly Segment[] {
  if (from === to || to === undefined) return segments;
  return segments.map(({ language = from, ...segment }) => (language === to ? segment : { ...segment, language }));
}
