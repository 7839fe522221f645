import type { AudioClipPage, PagedAudioClip } from '@earshot/contract/audio-clip-page';

/** How far the list is loaded. */
interface LoadedRange {
  /** Cursor of the next page. */
  readonly next: string | undefined;
  readonly isEnd: boolean;
  /** All matching clips that start after this time (before it, oldest first) are loaded. */
  readonly reachedEpoch: number | undefined;
}

export interface FeedState extends LoadedRange {
  /** Matching clips in the order of the list. */
  readonly clips: readonly PagedAudioClip[];
  readonly isLoading: boolean;
  /** Number of pages since the last page with a match. */
  readonly idlePages: number;
  readonly error: unknown;
}

export const nothingLoaded: LoadedRange = { next: undefined, isEnd: false, reachedEpoch: undefined };

export const rangeAfter = ({ next, reachedEpoch }: AudioClipPage, before: LoadedRange): LoadedRange => ({
  next,
  isEnd: next === undefined,
  reachedEpoch: reachedEpoch ?? before.reachedEpoch,
});

/** What a page tells about a clip, and a change of the clip does not. */
export function pagedFields({
  deviceName,
  tagList,
  radioCall,
  transcript,
  captionID,
  speech,
  mayWrite,
  title,
}: PagedAudioClip) {
  const known = { deviceName, radioCall, transcript, captionID, speech, mayWrite, title };
  return { tagList, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
}

/** What a page is asked for. */
export interface Asked {
  readonly cursor: string | undefined;
  readonly count: number;
  readonly fromEpoch?: number;
  readonly toEpoch?: number;
}
