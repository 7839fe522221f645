import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Coverage } from '@earshot/contract/audio-clip-coverage';
import type { AudioClipPage } from '@earshot/contract/audio-clip-page';
import { largestCount } from '@earshot/contract/values';
import { api, statusOf } from '../../lib/api.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { endOf, startOf } from '../audio-clip/public.ts';
import type { Mark, TimedClip } from './lane-data.ts';
import type { LoadWaveform } from './levels.ts';

export interface TimelineRange {
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
}

export const timedClip = (clip: AudioClip, isCaptioned: boolean): TimedClip => ({
  key: clip.key ?? 0,
  start: startOf(clip),
  end: endOf(clip),
  status: clip.audioClipStatus ?? 0,
  file: clip.fileID ?? 0,
  isCaptioned,
});

export interface Page {
  /** Sorted by start. */
  readonly clips: readonly TimedClip[];
  readonly marks: readonly Mark[];
}

function pageOf({ results, audioClipTagList = [] }: AudioClipPage): Page {
  return {
    clips: results.map((clip) => timedClip(clip, clip.captionID !== undefined)).toReversed(),
    marks: audioClipTagList.map(({ timestamp = 0, timestampMs = 0, audioClipID = 0, tagName = '' }) => ({
      time: timestamp * 1_000 + timestampMs,
      clip: audioClipID,
      name: tagName,
    })),
  };
}

/** Clips of a device in a range, newest first, page by page: a week may contain 100,000 clips. */
export async function* clipPages(
  deviceID: number,
  { from, to }: TimelineRange,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const startEpoch = Math.floor(from / 1_000);
  const endEpoch = Math.ceil(to / 1_000);
  const filter = { deviceIDList: [deviceID], startEpoch, endEpoch, withTags: true, count: largestCount };
  let cursor: string | undefined;
  do {
    const body = cursor === undefined ? filter : { ...filter, cursor };
    const page = await api.listAudioClipPage({ body }, { signal });
    yield pageOf(page);
    cursor = page.next;
  } while (cursor !== undefined);
}

export const coverageOf = (deviceID: number, { from, to }: TimelineRange): Query<Coverage> => ({
  key: `coverage ${deviceID} ${from} ${to}`,
  load: () =>
    api.getCoverage({
      body: { deviceID, startEpoch: Math.floor(from / 1_000), endEpoch: Math.ceil(to / 1_000), shortestGapSeconds: 5 },
    }),
  follow: (coverage, change) =>
    change.deviceID === deviceID || change.event === 'collection'
      ? followKinds<Coverage>('audioclip', 'collection')(coverage, change)
      : coverage,
});

/** Null if the audio is deleted or cannot be decoded. */
export const loadWaveform: LoadWaveform = async ({ key, points }, signal) => {
  try {
    return await api.getWaveform({ params: { audioClipID: key }, query: { points } }, { signal });
  } catch (error) {
    if ([404, 409, 415, 422].includes(statusOf(error))) return null;
    throw error;
  }
};
