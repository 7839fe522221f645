import type { AudioClip } from '@earshot/contract/audio-clip';
import { audioClipStatus, type audioClipStatuses } from '@earshot/contract/audio-clip-status';
import type { Tone } from '../../ui/bits.tsx';

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

export const isHere = ({ audioClipStatus: status }: AudioClip): boolean => status === audioClipStatus.available;

/** Whether the upload of a clip in this status can be requested. */
export const canBeAskedFor = (status: number): boolean =>
  status === audioClipStatus.onDevice || status === audioClipStatus.uploadFailed;

export const startOf = ({ startTime = 0, startTimeMs = 0 }: AudioClip): number => startTime * 1_000 + startTimeMs;

/** End of the clip in milliseconds; computed from its length if the end is not stored. */
export function endOf(clip: AudioClip): number {
  const { endTime, endTimeMs = 0, clipLengthInSeconds = 0 } = clip;
  return endTime === undefined ? startOf(clip) + clipLengthInSeconds * 1_000 : endTime * 1_000 + endTimeMs;
}
