/*
 * What every engine that listens is to the rest of the platform: sound in, words or labels out, each with its time.
 *
 * An engine says nothing rather than something untrue. Silence, noise and music give no segments, which is a result
 * like any other; speech in a language that the engine does not know gives segments that are marked and hold no words.
 */

/** All sound that engines are handed has this rate and one channel. */
export const sampleRate = 16_000;

/** Samples from -1 to 1, 16 kHz, mono, in chunks of any size. */
export type Sound = AsyncIterable<Float32Array>;

export interface EngineIdentity {
  readonly name: string;
  /** Changes whenever the same sound could give another result. */
  readonly version: string;
}

export interface Word {
  /** As it is written, punctuation included. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 100. */
  readonly confidence: number;
}

export interface Segment {
  readonly startMs: number;
  readonly endMs: number;
  /** Empty where the language is not known to the engine. */
  readonly text: string;
  readonly words: readonly Word[];
  /** 0 to 100. */
  readonly confidence: number;
  readonly isLanguageKnown: boolean;
}

export interface Captions {
  readonly engine: EngineIdentity;
  /** A language tag such as `en`; undefined when there was no speech, or in none that the engine knows. */
  readonly language: string | undefined;
  /** False when there was speech and most of it was in a language that the engine does not know. */
  readonly isLanguageKnown: boolean;
  readonly segments: readonly Segment[];
  readonly soundMs: number;
}

export interface Listening {
  readonly signal: AbortSignal;
  /** How much of the sound has been dealt with, as often as that changes noticeably. */
  readonly onProgress?: (heardMs: number) => void;
}

export interface CaptionEngine {
  readonly identity: EngineIdentity;
  /** Fetches and checks what the engine needs, so that the first clip need not wait. Throws EngineUnavailable. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Throws EngineUnavailable when no clip could be captioned, and ListeningFailed when this one could not. */
  caption(sound: Sound, listening: Listening): Promise<Captions>;
  /** Ends what the engine keeps running; what it still works on fails. */
  close(): Promise<void>;
}

export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Tells where somebody speaks, so that nothing else is ever given to an engine that would invent words for it. */
export interface VoiceGate {
  prepare(signal: AbortSignal): Promise<void>;
  findSpeech(sound: Sound, listening: Listening): Promise<readonly Stretch[]>;
  close(): Promise<void>;
}

/** A word of a text that somebody wrote or corrected, and about when it is said, where that is known. */
export interface GivenWord {
  readonly text: string;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** Tells when the words of a given text are said. */
export interface WordAligner {
  prepare(signal: AbortSignal): Promise<void>;
  /**
   * Exactly the given words in their order, none beginning before another before it and none beyond the sound. How sure
   * a time is stands in the confidence: 0 where it is only a guess between others.
   */
  align(sound: Sound, words: readonly GivenWord[], listening: Listening): Promise<readonly Word[]>;
  close(): Promise<void>;
}

export interface Label {
  readonly name: string;
  /** 0 to 100. */
  readonly confidence: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Labels {
  readonly engine: EngineIdentity;
  readonly labels: readonly Label[];
  readonly soundMs: number;
}

export interface LabelEngine {
  readonly identity: EngineIdentity;
  prepare(signal: AbortSignal): Promise<void>;
  label(sound: Sound, listening: Listening): Promise<Labels>;
  close(): Promise<void>;
}

/** The engine itself cannot work now, whatever the clip: a model is missing, a server refuses its key. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  /** When the engine or its server said how long to leave it alone. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** This clip could not be listened to; another may. */
export class ListeningFailed extends Error {
  override readonly name = 'ListeningFailed';
}
