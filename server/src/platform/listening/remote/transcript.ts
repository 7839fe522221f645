/** A server's transcript of one part of a clip, in seconds from the start of the part. */
export interface RemoteTranscript {
  readonly language: string | undefined;
  readonly words: readonly TimedWord[];
  /** Text for whose words the server gave no times, or times that cannot be right. */
  readonly untimed: readonly UntimedText[];
  /** Speech for which the server itself reports low confidence. */
  readonly doubtful: readonly SecondsSpan[];
}

export interface SecondsSpan {
  readonly start: number;
  readonly end: number;
}

export interface TimedWord extends SecondsSpan {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Words that were said at some time within the span. */
export type UntimedText = TimedWord;

/** Fields of a response of any server version. */
export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const asList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(asFields) : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** How far the times of a server may be outside of the sound or of their segment. */
const toleranceSeconds = 0.5;

/** Whether words can have been said at these times: each has one, in order, within the span. */
export function areTimesSound(
  words: readonly Partial<SecondsSpan>[],
  { start: first, end: last }: SecondsSpan,
): boolean {
  let before = first - toleranceSeconds;
  return words.every(({ start, end }) => {
    if (start === undefined || end === undefined || !(end >= start) || !(start >= before)) return false;
    before = start;
    return end <= last + toleranceSeconds;
  });
}

/** Estimates the times of words: they are distributed over the spans by their lengths. Without a span there are none. */
export function spreadWords({ text, confidence }: UntimedText, spans: readonly SecondsSpan[]): TimedWord[] {
  const words = spans.length === 0 ? [] : text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  const share = spans.reduce((sum, { start, end }) => sum + end - start, 0) / Math.max(1, letters);
  let [span, at] = [0, spans[0]?.start ?? 0];
  return words.map((word) => {
    while (span < spans.length - 1 && at >= spans[span]!.end) {
      at = spans[span + 1]!.start + Math.max(0, at - spans[span]!.end);
      span += 1;
    }
    const start = at;
    at += (word.length + 1) * share;
    // A word does not reach into a pause; the next one begins after it.
    return { text: word, start, end: Math.min(at, Math.max(start, spans[span]?.end ?? at)), confidence };
  });
}
