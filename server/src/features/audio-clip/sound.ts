import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Log } from '../../platform/log.ts';
import type { SoundFacts, SoundParts } from '../file/rules.ts';
import { describeSound } from '../file/rules.ts';
import { fillClip } from './sound-queries.ts';
import { longestClipMs } from './times.ts';

export interface ClipSoundParts {
  readonly sounds: SoundParts;
  readonly log: Log;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** Listening is worth its while only for what nobody said. */
const isUnknown = (clip: AudioClip): boolean => isSet(clip.fileID) && !(isSet(clip.endTime) && isSet(clip.bitrate));

/** A clip is at most a day long, whatever its sound says. */
const lengthOf = ({ durationMs }: SoundFacts): number => Math.min(Math.round(durationMs), longestClipMs);

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
