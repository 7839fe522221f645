import type { Transcription } from '../embedded/transcription.ts';
import type { GivenWord, TranscribedPart, Label, Word } from '../engine.ts';

/*
 * The messages between the server and an engine process, over Node's IPC channel.
 *
 *   child:  ready | broken                        once, when its models are loaded or cannot be
 *   server: analyse                               only while the child has no clip
 *   child:  more                                  asks for the next piece of sound, so that neither side buffers it
 *   server: sound, or end after the last
 *   child:  progress                              how much of the sound is processed
 *   child:  part                                  the segments of a part of the clip, which the child does not keep
 *   child:  done | failed                         the end of the clip; the child is free again
 *   server: cancel                                at any time; the child answers with failed, if not with done
 */

/**
 * The task of a process: `moonshine` and `whisper` transcribe, `voice` only finds speech, `labels` finds sounds, and
 * `words` finds the times of given words.
 */
export type Profile = 'moonshine' | 'whisper' | 'voice' | 'labels' | 'words';

export interface LabelResult {
  readonly labels: readonly Label[];
  readonly soundMs: number;
  readonly speechMs: number;
}

/** The result for a clip, by profile. The segments of a transcription are in its parts. */
export interface Results {
  readonly moonshine: Transcription;
  readonly whisper: Transcription;
  readonly voice: Transcription;
  readonly labels: LabelResult;
  readonly words: readonly Word[];
}

/** The argument of a new process. */
export interface ChildTask {
  readonly profile: Profile;
  readonly voiceFolder: string;
  /** Undefined if nothing is transcribed. */
  readonly textFolder: string | undefined;
  /** The model that decides languages; undefined if nothing is transcribed. */
  readonly languageFolder?: string | undefined;
  /** The file of the label weights; undefined if nothing is labelled. */
  readonly weightsPath?: string | undefined;
}

/** What is asked about a clip, in addition to its sound. */
export interface ClipHints {
  /** The words to align. */
  readonly words?: readonly GivenWord[] | undefined;
  readonly language?: string | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly recentLanguages?: Readonly<Record<string, number>> | undefined;
  readonly vocabulary?: readonly string[] | undefined;
  readonly prompt?: string | undefined;
  /** The model for speech that the model of the process is unsure about, if this clip may use it. */
  readonly thirdFolder?: string | undefined;
}

export type ToChild =
  | ({ readonly kind: 'analyse'; readonly clip: number } & ClipHints)
  | { readonly kind: 'sound'; readonly clip: number; readonly samples: Float32Array }
  | { readonly kind: 'end'; readonly clip: number }
  | { readonly kind: 'cancel'; readonly clip: number };

export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'more'; readonly clip: number; readonly doneMs: number }
  | { readonly kind: 'progress'; readonly clip: number; readonly doneMs: number }
  | { readonly kind: 'part'; readonly clip: number; readonly part: TranscribedPart }
  | { readonly kind: 'done'; readonly clip: number; readonly result: Results[Profile] }
  | { readonly kind: 'failed'; readonly clip: number; readonly reason: string };
