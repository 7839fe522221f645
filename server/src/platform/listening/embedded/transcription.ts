import type { TranscribedPart } from '../engine.ts';

/** What is known about a clip after all its parts. */
export interface Transcription {
  readonly language: string | undefined;
  readonly isLanguageKnown: boolean;
  readonly soundMs: number;
  /** How much of it is speech, where only speech is found. */
  readonly speechMs?: number | undefined;
}

/** What is asked of a transcription, and where its results go. */
export interface TranscribeOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number) => void;
  readonly onPart: (part: TranscribedPart) => void;
  /** The language of the clip, if it is decided already. */
  readonly language?: string | undefined;
  /** The languages that are spoken; none: any. */
  readonly languages?: readonly string[] | undefined;
  readonly recentLanguages?: Readonly<Record<string, number>> | undefined;
  readonly vocabulary?: readonly string[] | undefined;
}
