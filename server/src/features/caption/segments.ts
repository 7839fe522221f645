import { doubtfulBelow } from '@earshot/contract/caption-marks';
import type { Caption } from '@earshot/contract/caption';
import { cutWords } from '../../platform/listening/cut-words.ts';
import type { Captions, Segment } from '../../platform/listening/engine.ts';
import { markLanguages, settleLanguage } from '../../platform/listening/segment-languages.ts';

/** A segment as it is stored: that of an engine, with its doubtful words marked. */
export type StoredSegment = Segment & { readonly words: readonly StoredWord[] };
type StoredWord = Segment['words'][number] & Pick<Caption['segments'][number]['words'][number], 'isDoubtful'>;

/** Segments with words that are not confirmed, and that begin in the given time. */
const isUnconfirmedIn = ({ unconfirmed, startMs }: StoredSegment, { fromMs = 0, toMs = Infinity }: TimeRange) =>
  unconfirmed !== undefined && startMs >= fromMs && startMs < toMs;

export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/**
 * The caption with words that were not confirmed as words like all others. This is the only way by which they come into
 * a transcript. Undefined if there are none.
 */
export function confirmSegments<Result extends Pick<Captions, 'language' | 'isLanguageKnown'>>(
  caption: Result & { readonly segments: readonly StoredSegment[] },
  range: TimeRange,
) {
  if (!caption.segments.some((segment) => isUnconfirmedIn(segment, range))) return undefined;
  const segments = caption.segments.flatMap((segment): readonly Segment[] => {
    const { unconfirmed } = segment;
    if (!unconfirmed || !isUnconfirmedIn(segment, range)) return [segment];
    return markLanguages(cutWords(unconfirmed.words), unconfirmed.language, caption.language);
  });
  return settleLanguage({ ...caption, segments, isLanguageKnown: isMostlyKnown(segments) });
}

/** New segments, with those of the former that have unconfirmed words where nothing else was written. */
export function keepUnconfirmed(segments: readonly Segment[], former: readonly StoredSegment[]): readonly Segment[] {
  const isFree = ({ startMs, endMs }: Segment) =>
    segments.every(({ words }) => words.every((word) => word.endMs <= startMs || word.startMs >= endMs));
  const kept = former.filter((segment) => segment.unconfirmed && isFree(segment));
  return kept.length === 0 ? segments : [...segments, ...kept].toSorted((a, b) => a.startMs - b.startMs);
}

/** Removes characters that PostgreSQL cannot store. */
export const cleanText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

export const cleanSegments = (segments: readonly StoredSegment[]): readonly StoredSegment[] =>
  segments.map((segment) => ({
    ...mapWords(segment, (word) => ({
      ...word,
      text: cleanText(word.text),
      ...(word.heardAs === undefined ? {} : { heardAs: cleanText(word.heardAs) }),
    })),
    text: cleanText(segment.text),
  }));

/** The segment with other words, also those that are not confirmed. */
const mapWords = (segment: Segment, change: (word: StoredWord) => StoredWord): StoredSegment => {
  const { words, unconfirmed } = segment;
  const changed = { ...segment, words: words.map(change) };
  return unconfirmed ? { ...changed, unconfirmed: { ...unconfirmed, words: unconfirmed.words.map(change) } } : changed;
};

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
        ...mapWords(segment, (word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs })),
        startMs: segment.startMs + byMs,
        endMs: segment.endMs + byMs,
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
