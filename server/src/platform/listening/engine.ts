/*
 * The interface of every engine to the rest of the platform: sound in, words or labels with times out.
 *
 * Silence, noise and music give no segments, which is a valid result. Speech always gives a segment: uncertain words are
 * kept with their low confidence, and speech that was not understood, or is in a language that the engine does not
 * support, gives a marked segment without words, or with words that are not confirmed.
 */

/** All engines receive mono sound at this rate. */
export const sampleRate = 16_000;

/** Samples from -1 to 1, 16 kHz, mono, in chunks of any size. */
export type Sound = AsyncIterable<Float32Array>;

export interface EngineIdentity {
  readonly name: string;
  /** Changes whenever the same sound could give another result. */
  readonly version: string;
}

export interface Word {
  /** As written, including punctuation. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 100. */
  readonly confidence: number;
  /** What the engine would have written without the vocabulary, if that differs. */
  readonly heardAs?: string | undefined;
}

export interface Segment {
  readonly startMs: number;
  readonly endMs: number;
  /** Empty if the speech was not understood. */
  readonly text: string;
  readonly words: readonly Word[];
  /** 0 to 100. */
  readonly confidence: number;
  /** False if the engine does not support the language. */
  readonly isLanguageKnown: boolean;
  /** False if there is speech for which the engine found no words; true when missing. */
  readonly isUnderstood?: boolean | undefined;
  /** Set if it is not the language of the clip, whether the engine supports it or not. */
  readonly language?: string | undefined;
  /** Words that are no part of the text, because their language is in doubt: written in one that may not have been spoken. */
  readonly unconfirmed?: UnconfirmedWords | undefined;
  /** False if the times of its words are estimated, not found in the sound; true when missing. */
  readonly isTimed?: boolean | undefined;
}

export interface UnconfirmedWords {
  /** The language of these words. */
  readonly language: string;
  readonly words: readonly Word[];
}

export interface Captions {
  readonly engine: EngineIdentity;
  /** A language tag such as `en`, also of a language that the engine does not support; undefined without speech. */
  readonly language: string | undefined;
  /** False if most of the speech was in a language that the engine does not support. */
  readonly isLanguageKnown: boolean;
  readonly segments: readonly Segment[];
  readonly soundMs: number;
}

/** The result for a part of a clip while the rest is still being processed. */
export interface TranscribedPart {
  /** Final, and in the order of their times. */
  readonly segments: readonly Segment[];
  /** All sound before this time is processed; the next part begins here or later. */
  readonly untilMs: number;
  /** The language of the clip, if it is decided. */
  readonly language: string | undefined;
}

export interface Listening {
  readonly signal: AbortSignal;
  /** Reports how much of the sound has been processed. */
  readonly onProgress?: (doneMs: number) => void;
  /** Called for each part, in order. All parts together are the segments of the result. */
  readonly onPart?: (part: TranscribedPart) => void;
  /** The language of the clip, if it was decided before; otherwise the engine decides it. */
  readonly language?: string | undefined;
  /** The languages that are spoken there, without regions: with just one, no speech is taken for another. None: any. */
  readonly languages?: readonly string[] | undefined;
  /** In how many recent clips of the device each language was spoken. */
  readonly recentLanguages?: Readonly<Record<string, number>> | undefined;
  /** Names and terms that are likely to be said. */
  readonly vocabulary?: readonly string[] | undefined;
  /** A text that the caller gives about the clip, for example what was said before it. Its rare words are likely to be said. */
  readonly prompt?: string | undefined;
}

export interface CaptionEngine {
  readonly identity: EngineIdentity;
  /** Fetches and checks what the engine needs, so that the first clip does not wait. Throws EngineUnavailable. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Throws EngineUnavailable if no clip can be captioned, and ListeningFailed if this clip cannot. */
  caption(sound: Sound, listening: Listening): Promise<Captions>;
  /** Stops the processes of the engine; running work fails. */
  close(): Promise<void>;
  /** Which speech that it is unsure about is transcribed once more by a better model; none if not set. */
  readonly thirdListen?: 'all' | 'radio' | undefined;
  /** The same engine for the sound of radios, if only that gets a third listen. */
  readonly forRadio?: CaptionEngine | undefined;
}

export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Finds speech, so that no other sound is passed to an engine that would invent words for it. */
export interface VoiceGate {
  prepare(signal: AbortSignal): Promise<void>;
  findSpeech(sound: Sound, listening: Listening): Promise<readonly Stretch[]>;
  close(): Promise<void>;
}

export interface SpeechMeter {
  /** How much of the sound is speech, in milliseconds: without pauses. */
  measureSpeech(sound: Sound, listening: Listening): Promise<number>;
  close(): Promise<void>;
}

/** A word of a text that a person wrote or corrected, with its approximate time if known. */
export interface GivenWord {
  readonly text: string;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** Finds the times of the words of a given text. */
export interface WordAligner {
  prepare(signal: AbortSignal): Promise<void>;
  /**
   * Returns exactly the given words in their order. No word begins before a previous one or ends after the sound. The
   * confidence tells how certain a time is: 0 for a guess between neighbours.
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
  /** How much of it is speech, if the engine found out. */
  readonly speechMs?: number | undefined;
}

export interface LabelEngine {
  readonly identity: EngineIdentity;
  prepare(signal: AbortSignal): Promise<void>;
  label(sound: Sound, listening: Listening): Promise<Labels>;
  close(): Promise<void>;
}

/** The engine cannot work with any clip at present: a model is missing, or a server refuses the key. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  /** Set if the engine or its server said when to retry. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** This clip could not be analysed; other clips may succeed. */
export class ListeningFailed extends Error {
  override readonly name = 'ListeningFailed';
}
