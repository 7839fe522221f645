import type { ListeningResult } from '../embedded/heard.ts';
import type { GivenWord, Label, Word } from '../engine.ts';

/*
 * What the server and a process that listens say to each other, over Node's own channel between parent and child.
 *
 *   child:  ready | broken                        once, when its models are loaded or cannot be
 *   server: listen                                only while the child has no clip
 *   child:  more                                  asks for the next piece of sound, so that neither side piles it up
 *   server: sound, or end after the last
 *   child:  done | failed                         the end of the clip; the child is free again
 *   server: cancel                                at any time; the child answers with failed, if not with done
 */

/**
 * What a process has ears for: two write down what is said, `voice` only tells where somebody speaks, `labels` what is
 * heard, and `words` when the words that it is given are said.
 */
export type Profile = 'moonshine' | 'whisper' | 'voice' | 'labels' | 'words';

export interface LabelResult {
  readonly labels: readonly Label[];
  readonly soundMs: number;
}

/** What a process with such ears makes of a clip. */
export interface Results {
  readonly moonshine: ListeningResult;
  readonly whisper: ListeningResult;
  readonly voice: ListeningResult;
  readonly labels: LabelResult;
  readonly words: readonly Word[];
}

/** What a process is started with. */
export interface ChildTask {
  readonly profile: Profile;
  readonly voiceFolder: string;
  /** Undefined where nothing is to be understood. */
  readonly textFolder: string | undefined;
  /** The file of what was learnt about sounds; undefined where nothing is labelled. */
  readonly weightsPath?: string | undefined;
}

export type ToChild =
  | { readonly kind: 'listen'; readonly clip: number; readonly words?: readonly GivenWord[] | undefined }
  | { readonly kind: 'sound'; readonly clip: number; readonly samples: Float32Array }
  | { readonly kind: 'end'; readonly clip: number }
  | { readonly kind: 'cancel'; readonly clip: number };

export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'more'; readonly clip: number; readonly heardMs: number }
  | { readonly kind: 'heard'; readonly clip: number; readonly heardMs: number }
  | { readonly kind: 'done'; readonly clip: number; readonly result: Results[Profile] }
  | { readonly kind: 'failed'; readonly clip: number; readonly reason: string };
