import type { Segment } from '../engine.ts';
import type { Recognised } from './recogniser.ts';

/** A stretch of speech, and what was made of it. */
export interface Heard {
  readonly startMs: number;
  readonly endMs: number;
  readonly recognised: Recognised;
}

export interface ListeningResult {
  readonly segments: readonly Segment[];
  readonly language: string | undefined;
  readonly isLanguageKnown: boolean;
  readonly soundMs: number;
}
