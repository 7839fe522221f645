/** A server's transcript of one part of a clip, in seconds from the start of the part. */
export interface RemoteTranscript {
  readonly language: string | undefined;
  readonly words: readonly TimedWord[];
  /** Speech for which the server itself reports low confidence. */
  readonly doubtful: readonly { readonly start: number; readonly end: number }[];
}

export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Fields of a response of any server version. */
export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const asList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(asFields) : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Distributes words without times over their segment by their length. */
export function spreadWords(text: string, start: number, end: number, confidence: number): TimedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  const share = (end - start) / Math.max(1, letters);
  let at = start;
  return words.map((word) => {
    const from = at;
    at += (word.length + 1) * share;
    return { text: word, start: from, end: at, confidence };
  });
}
