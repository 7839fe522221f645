import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Log } from '../../platform/log.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import type { SoundFacts, SoundParts } from '../file/rules.ts';
import type { Wakeups } from '../event/rules.ts';
import { describeSound, isBeyondLimits } from '../file/rules.ts';
import { fillClip } from './sound-queries.ts';
import { faultOfLength, longestClipMs } from './times.ts';

export interface ClipSoundParts {
  readonly sounds: SoundParts;
  readonly wakeups: Wakeups;
  readonly log: Log;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** Listening is worth its while only for what nobody said. */
const isUnknown = (clip: AudioClip): boolean => isSet(clip.fileID) && !(isSet(clip.endTime) && isSet(clip.bitrate));

/** A clip is at most a day long, whatever its sound says. */
const lengthOf = ({ durationMs }: SoundFacts): number => Math.min(Math.round(durationMs), longestClipMs);

/** Why sound of this length cannot be a clip's, for the field that names its file. */
export function faultOfFile(durationMs: number): string | undefined {
  const fault = faultOfLength(durationMs);
  return fault && `names sound that is ${fault}`;
}

/** The same for a file whose length nobody knows yet: it is analysed. */
export async function findSoundFault(sounds: SoundParts, fileID: number): Promise<string | undefined> {
  try {
    const facts = await describeSound(sounds, fileID);
    return facts && faultOfFile(facts.durationMs);
  } catch (error) {
    if (error instanceof MediaError && isBeyondLimits(error))
      return `names a file that cannot be a clip: ${error.message}`;
    throw error;
  }
}

/** Whether the sound of a new file is analysed for the sake of the clip: when nobody said its end or its bitrate. */
export const needsAnalysis = (clip: { readonly endMs: number | null; readonly bitrate: number | null }): boolean =>
  clip.endMs === null || clip.bitrate === null;

/**
 * Fills in the end and the bitrate of clips that have a file and lack one of them, by listening to it. Outside of any
 * transaction, for it may take a while; the clips are what they are without it, so a failure is only logged.
 */
export async function describeClips(
  { sounds, log }: ClipSoundParts,
  clips: readonly AudioClip[],
): Promise<AudioClip[]> {
  const described: AudioClip[] = [];
  for (const clip of clips) described.push(isUnknown(clip) ? await describeClip(sounds, log, clip) : clip);
  return described;
}

async function describeClip(sounds: SoundParts, log: Log, clip: AudioClip): Promise<AudioClip> {
  const { key = 0, fileID = 0 } = clip;
  try {
    const facts = await describeSound(sounds, fileID);
    if (!facts) return clip;
    const { bitrate } = facts;
    const filled = await fillClip(sounds.db, key, fileID, { lengthMs: lengthOf(facts), bitrate: Math.round(bitrate) });
    return filled ?? clip;
  } catch (error) {
    log.warn({ error, audioClipID: key }, 'the sound of a clip could not be described');
    return clip;
  }
}
