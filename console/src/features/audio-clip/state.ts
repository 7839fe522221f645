import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Tone } from '../../ui/bits.tsx';

interface ClipState {
  readonly text: string;
  readonly tone: Tone;
}

/** By status. */
export const clipStates: readonly ClipState[] = [
  { text: 'On the device', tone: 'idle' },
  { text: 'Upload asked for', tone: 'idle' },
  { text: 'Uploading', tone: 'busy' },
  { text: 'Here', tone: 'good' },
  { text: 'Upload failed', tone: 'bad' },
  { text: 'Expired', tone: 'idle' },
];

export const here = 3;
export const failed = 4;

export const clipStateOf = ({ audioClipStatus = 0 }: AudioClip): ClipState =>
  clipStates[audioClipStatus] ?? clipStates[0]!;

export const isHere = ({ audioClipStatus }: AudioClip): boolean => audioClipStatus === here;

/** Neither here nor gone for good, nor already on its way. */
export const canBeAskedFor = (status: number): boolean => status === 0 || status === failed;

export const startOf = ({ startTime = 0, startTimeMs = 0 }: AudioClip): number => startTime * 1_000 + startTimeMs;

/** A clip that does not say its end has one all the same: its start. */
export function endOf(clip: AudioClip): number {
  const { endTime, endTimeMs = 0, clipLengthInSeconds = 0 } = clip;
  return endTime === undefined ? startOf(clip) + clipLengthInSeconds * 1_000 : endTime * 1_000 + endTimeMs;
}
