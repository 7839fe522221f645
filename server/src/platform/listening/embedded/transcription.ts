import type { Segment } from '../engine.ts';
import type { Recognised } from './recogniser.ts';

/** A stretch of speech with its recognised text. */
export interface RecognisedSpeech {
  readonly startMs: number;
  readonly endMs: number;
  readonly recognised: Recognised;
}

export interface Transcription {
  readonly segments: readonly Segment[];
  readonly language: string | undefined;
  readonly isLanguageKnown: boolean;
  readonly soundMs: number;
}
