import type { AudioClip, AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { longestClipList } from '@earshot/contract/audio-clip';
import { audioClipStatus, type audioClipStatuses } from '@earshot/contract/audio-clip-status';
import type { Tag } from '@earshot/contract/tag';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { followKinds, followList } from '../../lib/follow.ts';
import { type Query, reload } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import type { Tone } from '../../lib/ui/elements.tsx';

/** The newest clips of one device, or of all devices (0). */
export const newestClips = (deviceID: number, count: number): Query<readonly PagedAudioClip[]> => {
  const follow = followList<PagedAudioClip>({
    kind: 'audioclip',
    keep: ['deviceName', 'tagList', 'soundMs', 'title', 'radioCall'],
    wants: ({ change, deviceID: of }) => change === 'created' && (deviceID === 0 || of === deviceID),
  });
  return {
    key: `clips ${deviceID} ${count}`,
    load: async () => {
      const devices = deviceID === 0 ? {} : { deviceIDList: [deviceID] };
      return (await api.listAudioClipPage({ body: { ...devices, count } })).results;
    },
    follow: (list, change) => {
      const former = change.event === 'audioclip' ? list.find(({ key }) => key === change.key) : undefined;
      // The length of new sound is not in the change.
      const hasNewSound = former && change.record && (change.record as AudioClip).fileID !== former.fileID;
      return hasNewSound ? reload : follow(list, change);
    },
  };
};

/** All tags, sorted by name. */
export const allTags: Query<readonly Tag[]> = {
  key: 'tags',
  load: async () => (await api.listTags()).toSorted((a, b) => (a.tagName ?? '').localeCompare(b.tagName ?? '')),
  follow: followKinds('audioclip'),
};

export const uploadFailed = ({ audioClipStatus: status }: AudioClipWithNames): boolean =>
  status === audioClipStatus.uploadFailed;

interface ClipState {
  readonly text: string;
  readonly tone: Tone;
}

export const clipStates: Readonly<Record<(typeof audioClipStatuses)[number]['key'], ClipState>> = {
  [audioClipStatus.onDevice]: { text: 'On the device', tone: 'idle' },
  [audioClipStatus.uploadRequested]: { text: 'Upload requested', tone: 'idle' },
  [audioClipStatus.uploading]: { text: 'Uploading', tone: 'busy' },
  [audioClipStatus.available]: { text: 'Available', tone: 'good' },
  [audioClipStatus.uploadFailed]: { text: 'Upload failed', tone: 'bad' },
  [audioClipStatus.expired]: { text: 'Expired', tone: 'idle' },
};

export const isClipStatus = (status: number): status is keyof typeof clipStates => Object.hasOwn(clipStates, status);

export const clipStateOf = ({ audioClipStatus: status = 0 }: AudioClip): ClipState =>
  clipStates[isClipStatus(status) ? status : audioClipStatus.onDevice];

export const isAvailable = (clip: AudioClip | undefined): boolean =>
  clip?.audioClipStatus === audioClipStatus.available;

/** Whether the upload of a clip in this status can be requested. */
export const canRequestUpload = (status: number): boolean =>
  status === audioClipStatus.onDevice || status === audioClipStatus.uploadFailed;

export const startOf = ({ startTime = 0, startTimeMs = 0 }: AudioClip): number => startTime * 1_000 + startTimeMs;

/** End of the clip in milliseconds; computed from its length if the end is not stored. */
export function endOf(clip: AudioClip): number {
  const { endTime, endTimeMs = 0, clipLengthInSeconds = 0 } = clip;
  return endTime === undefined ? startOf(clip) + clipLengthInSeconds * 1_000 : endTime * 1_000 + endTimeMs;
}

/** The one length that is shown for a clip: of its sound where it is here, else as the device announced it. */
export function lengthMsOf(clip: AudioClip & { readonly soundMs?: number }): number {
  if (isAvailable(clip) && clip.soundMs !== undefined) return clip.soundMs;
  return (clip.clipLengthInSeconds ?? 0) * 1_000;
}

/** Requests the upload of clips of one device, with one event for each 1,000 clips. */
export async function requestUploads(deviceID: number, keys: readonly number[]): Promise<boolean> {
  return attempt(async () => {
    for (let first = 0; first < keys.length; first += longestClipList) {
      await api.requestUpload({ body: { deviceID, audioClips: keys.slice(first, first + longestClipList) } });
    }
    showToast(`Upload of ${countText(keys.length, 'clip')} requested.`);
  });
}
