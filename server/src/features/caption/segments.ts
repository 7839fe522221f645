import { doubtfulBelow } from '@earshot/contract/caption-marks';
import type { Caption } from '@earshot/contract/caption';
import type { Segment } from '../../platform/listening/engine.ts';

/** A segment as it is stored: that of an engine, with its doubtful words marked. */
export type StoredSegment = Segment & { readonly words: readonly StoredWord[] };
type StoredWord = Segment['words'][number] & Pick<Caption['segments'][number]['words'][number], 'isDoubtful'>;

/** Removes characters that PostgreSQL cannot store. */
export const cleanText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

export const cleanSegments = (segments: readonly StoredSegment[]): readonly StoredSegment[] =>
  segments.map((segment) => ({
    ...segment,
    text: cleanText(segment.text),
    words: segment.words.map((word) => ({
      ...word,
      text: cleanText(word.text),
      ...(word.heardAs === undefined ? {} : { heardAs: cleanText(word.heardAs) }),
    })),
  }));

/** Marks the words of an engine that are doubtful. */
export const markDoubtful = (segments: readonly Segment[]): readonly StoredSegment[] =>
  segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => (word.confidence < doubtfulBelow ? { ...word, isDoubtful: true } : word)),
  }));

/** A person decided on the words, so none is doubtful, also if the engine was unsure of it. */
export const clearDoubt = (segments: readonly StoredSegment[]): readonly StoredSegment[] =>
  segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => (word.confidence < doubtfulBelow ? { ...word, isDoubtful: false } : word)),
  }));

/** Moves the times of segments that were transcribed from the middle of a clip. */
export const shiftSegments = (segments: readonly Segment[], byMs: number): readonly Segment[] =>
  byMs === 0
    ? segments
    : segments.map((segment) => ({
        ...segment,
        startMs: segment.startMs + byMs,
        endMs: segment.endMs + byMs,
        words: segment.words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs })),
      }));

/** Whether at least half of the speech is in a language that the engine supports. */
export function isMostlyKnown(segments: readonly Segment[]): boolean {
  const lengthOf = (some: readonly Segment[]) => some.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return lengthOf(segments.filter(({ isLanguageKnown }) => isLanguageKnown)) * 2 >= lengthOf(segments);
}

/** Whether the times of all words were found in the sound. */
export const areWordsTimed = (segments: readonly Segment[]): boolean =>
  segments.every(({ isTimed }) => isTimed !== false);

export const transcriptOf = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
