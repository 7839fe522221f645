import type { Log } from '../../platform/log.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import { isBeyondLimits } from '../../platform/media/probe-sound.ts';
import type { StoredClip } from './queries.ts';
import { fillClip } from './sound-queries.ts';
import { longestClipMs, faultOfLength } from './times.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { FileFacts, SoundParts } from '../file/public.ts';
import { describeSound } from '../file/public.ts';
import type { Wakeups } from '../event/public.ts';

/**
 * Enqueues the captioning of clips that got their sound in this transaction. Returns the devices that have new work, to be
 * woken after the commit. Provided by the captions, which depend on clips.
 */
export type OrderCaptions = (tx: Db, caller: Caller, clipIDs: readonly number[]) => Promise<readonly number[]>;

export interface ClipSoundParts {
  readonly sounds: SoundParts;
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
  readonly log: Log;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** A file is analysed only for values that the caller did not give. */
const isUnknown = (clip: StoredClip): boolean => !(isSet(clip.endTime) && isSet(clip.bitrate));

/** A clip is at most a day long, whatever length its file claims. */
const lengthOf = ({ durationMs }: FileFacts): number => Math.min(Math.round(durationMs), longestClipMs);

/** Why sound of this length cannot be a clip's, as an error message for the field that names the file. */
export function faultOfFile(durationMs: number): string | undefined {
  const fault = faultOfLength(durationMs);
  return fault && `names sound that is ${fault}`;
}

/** The same for a file of unknown length: analyses it. */
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

/** Whether a clip's new file must be analysed: if the clip has no end or no bitrate. */
export const needsAnalysis = (clip: { readonly endMs: number | null; readonly bitrate: number | null }): boolean =>
  clip.endMs === null || clip.bitrate === null;

/**
 * Sets the end and the bitrate of clips that have a file and lack one of them, by analysing the file. Runs outside of
 * any transaction, because it may take long. The clips are valid without these values, so a failure is only logged.
 */
export async function describeClips(
  { sounds, log }: ClipSoundParts,
  clips: readonly StoredClip[],
): Promise<StoredClip[]> {
  const described: StoredClip[] = [];
  for (const clip of clips) described.push(await describeClip(sounds, log, clip));
  return described;
}

async function describeClip(sounds: SoundParts, log: Log, clip: StoredClip): Promise<StoredClip> {
  const { key, fileID } = clip;
  if (!fileID || !isUnknown(clip)) return clip;
  try {
    const facts = await describeSound(sounds, fileID);
    if (!facts) return clip;
    const { bitrate } = facts;
    const filled = await fillClip(sounds.db, key, fileID, { lengthMs: lengthOf(facts), bitrate: Math.round(bitrate) });
    return filled ?? clip;
  } catch (error) {
    log.warn({ error, audioClipID: key }, 'analysing the sound of a clip failed; its end and bitrate stay unset');
    return clip;
  }
}
