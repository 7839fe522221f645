import type { AudioClip } from '@earshot/contract/audio-clip';
import type { audioClipStatuses } from '@earshot/contract/audio-clip-status';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Tone } from '../../lib/ui/elements.tsx';

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
