import type { HeardPart } from '../engine.ts';

/** What is known about a clip after all its parts. */
export interface Transcription {
  readonly language: string | undefined;
  readonly isLanguageKnown: boolean;
  readonly soundMs: number;
}

/** What is asked of a transcription, and where its results go. */
export interface TranscribeOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (doneMs: number) => void;
  readonly onPart: (part: HeardPart) => void;
  /** The language of the clip, if it is decided already. */
  readonly language?: string | undefined;
  readonly vocabulary?: readonly string[] | undefined;
}
