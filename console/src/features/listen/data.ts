import type { AudioClip } from '@earshot/contract/audio-clip';
import type { AudioClipPageFilter, PagedAudioClip } from '@earshot/contract/audio-clip-page';
import type { AudioClipRecording } from '@earshot/contract/audio-clip-recording';
import type { AudioClipLock } from '@earshot/contract/audio-clip-retention';
import type { Waveform } from '@earshot/contract/audio-clip-sound';
import type { Caption } from '@earshot/contract/caption';
import type { CaptionProgress } from '@earshot/contract/caption-progress';
import type { CaptionVersion } from '@earshot/contract/caption-version';
import type { AudioClipVersion } from '@earshot/contract/audio-clip-version';
import type { AudioClipFacts } from '@earshot/contract/clip-facts';
import type { AudioClipTag } from '@earshot/contract/tag';
import { api, statusOf } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { followOne } from '../../lib/follow.ts';
import { endTask } from '../../lib/slices.ts';
import type { Change, Loaded, Query } from '../../lib/query.ts';
import { reload, useQuery } from '../../lib/query.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { dropToast, showToast } from '../../lib/toasts.ts';
import { captionProgress } from './caption-progress.ts';

/** Reloads when the clip or its transcript changes. */
const followClip =
  <Data>(clipID: number, kind: 'audioclip' | 'caption') =>
  (data: Data, change: Change): Data | typeof reload =>
    change.event === kind && change.key === clipID ? reload : data;

async function unlessMissing<Data>(loading: Promise<Data>, ...statuses: readonly number[]): Promise<Data | null> {
  try {
    return await loading;
  } catch (error) {
    if (statuses.includes(statusOf(error))) return null;
    throw error;
  }
}

export const oneClip = (audioClipID: number): Query<AudioClip> => ({
  key: `clip ${audioClipID}`,
  load: () => api.getAudioClip({ params: { audioClipID } }),
  follow: followOne('audioclip'),
});

/**
 * The clip as a list shows it. It tells whether there is a transcript, a waveform or a radio call, so that none is
 * requested that does not exist: the browser would log a failed request.
 */
export const listedClip = ({ key = 0, deviceID = 0, startTime = 0 }: AudioClip): Query<PagedAudioClip | null> => ({
  key: `caption ${key} listed`,
  load: async () => {
    const filter = { deviceIDList: [deviceID], startEpoch: startTime, endEpoch: startTime + 1 };
    return (await findListed(filter, (other) => other.key === key)) ?? null;
  },
  follow: (clip, change) =>
    (change.event === 'audioclip' || change.event === 'caption') && change.key === key ? reload : clip,
});

/** The title, the name of the file, and what is odd about how the sound came. */
export const recordingOf = (audioClipID: number): Query<AudioClipRecording> => ({
  key: `clip recording ${audioClipID}`,
  load: () => api.getAudioClipRecording({ params: { audioClipID } }),
  follow: followClip(audioClipID, 'audioclip'),
});

/** What was measured in its sound. Captioning measures too. */
export const soundFactsOf = (audioClipID: number): Query<AudioClipFacts> => ({
  key: `clip facts ${audioClipID}`,
  load: () => api.getClipFacts({ params: { audioClipID } }),
  follow: (facts, change) =>
    (change.event === 'audioclip' || change.event === 'caption') && change.key === audioClipID ? reload : facts,
});

export const captionOf = (captionID: number): Query<Caption | null> => ({
  key: `caption ${captionID}`,
  load: async () => {
    const caption = await unlessMissing(api.getCaption({ params: { captionID } }), 404);
    // Four hours of words take a while to parse. They are rendered in a task of its own.
    await endTask();
    return caption;
  },
  follow: followClip(captionID, 'caption'),
});

const nothing: Pick<Query<null>, 'key' | 'load'> = { key: 'nothing', load: () => Promise.resolve(null) };

const progressOrNull = captionProgress as Query<CaptionProgress | null>;

/**
 * The transcript of a clip, or the words so far while it is being transcribed; null before that. The progress tells
 * whether there are words already, because a request for none would fail.
 */
export function useCaption(clip: AudioClip): Loaded<Caption | null> {
  const { data: listed, error } = useQuery(listedClip(clip));
  const isWritten = listed?.captionID !== undefined;
  const isMissing = listed !== undefined && !isWritten;
  const progress = useQuery(isMissing && isAvailable(clip) ? progressOrNull : nothing);
  const isRunning = progress.data?.runningList.some(({ audioClipID }) => audioClipID === clip.key) ?? false;
  const caption = useQuery(isWritten || isRunning ? captionOf(clip.key ?? 0) : nothing);
  return listed === undefined ? { data: undefined, error } : caption;
}

export const versionsOf = (captionID: number): Query<readonly CaptionVersion[]> => ({
  key: `caption versions ${captionID}`,
  load: () => api.listCaptionVersions({ params: { captionID } }),
  follow: followClip(captionID, 'caption'),
});

/** Null if there is no audio, or it cannot be drawn. The key contains the file, because a repeated upload replaces it. */
export const waveformOf = (clip: AudioClip): Query<Waveform | null> => {
  const { key: audioClipID = 0, fileID = 0 } = clip;
  if (!isAvailable(clip)) return nothing;
  return {
    key: `waveform ${audioClipID} ${fileID}`,
    load: () => unlessMissing(api.getWaveform({ params: { audioClipID } }), 404, 409, 415, 422),
    follow: (waveform) => waveform,
  };
};

export const tagsOf = (audioClipID: number): Query<readonly AudioClipTag[]> => ({
  key: `clip tags ${audioClipID}`,
  load: () => api.listAudioClipTags({ params: { audioClipID } }),
  follow: followClip(audioClipID, 'audioclip'),
});

export const lockOf = (audioClipID: number): Query<AudioClipLock> => ({
  key: `clip lock ${audioClipID}`,
  load: () => api.getAudioClipLock({ params: { audioClipID } }),
  follow: followClip(audioClipID, 'audioclip'),
});

/** Only for people who may own the clip; others get 403. */
export const formerSoundOf = (audioClipID: number): Query<readonly AudioClipVersion[]> => ({
  key: `clip former sound ${audioClipID}`,
  load: () => api.listAudioClipVersions({ params: { audioClipID } }),
  follow: followClip(audioClipID, 'audioclip'),
});

export interface Neighbours {
  readonly previous: PagedAudioClip | undefined;
  readonly next: PagedAudioClip | undefined;
}

const isBefore = (a: AudioClip, b: AudioClip): boolean => {
  const order = startOf(a) - startOf(b) || (a.key ?? 0) - (b.key ?? 0);
  return order < 0;
};

/** The first clip of a list that matches, searched page by page. */
async function findListed(
  filter: AudioClipPageFilter,
  isWanted: (clip: AudioClip) => boolean,
): Promise<PagedAudioClip | undefined> {
  let page = await api.listAudioClipPage({ body: filter });
  for (;;) {
    const found = page.results.find(isWanted);
    if (found || page.next === undefined) return found;
    page = await api.listAudioClipPage({ body: { ...filter, cursor: page.next } });
  }
}

/** The previous and next clip of the same device and type. */
export const neighboursOf = (clip: AudioClip): Query<Neighbours> => {
  const { key = 0, deviceID = 0, startTime = 0, audioClipTypeID = 0 } = clip;
  const filter = { deviceIDList: [deviceID], audioClipTypeID, count: 20 };
  return {
    key: `clip neighbours ${key} ${startTime}`,
    load: async () => {
      const [next, previous] = await Promise.all([
        findListed({ ...filter, startEpoch: startTime, order: 'asc' }, (other) => isBefore(clip, other)),
        findListed({ ...filter, endEpoch: startTime + 1 }, (other) => isBefore(other, clip)),
      ]);
      return { next, previous };
    },
    follow: (neighbours, change) => {
      if (change.event !== 'audioclip' || change.deviceID !== deviceID) return neighbours;
      const isOne = [neighbours.previous?.key, neighbours.next?.key].includes(change.key);
      return isOne || change.change === 'created' ? reload : neighbours;
    },
  };
};

/** Shows a toast whose Undo sends a request. */
export function showUndoToast(text: string, undo: () => Promise<unknown>): void {
  const toast = showToast(text, {
    undo: () => {
      dropToast(toast);
      void attempt(undo);
    },
  });
}
