import { longestClipSeconds } from '@earshot/contract/audio-clip';
import type { AudioClipTag, CreateAudioClipTag } from '@earshot/contract/tag';
import { invalidField, notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findTag, listTagsOfClips, putClipTag, putTag, removeClipTag } from './queries.ts';
import type { StoredClip } from '../queries.ts';
import { lockClip } from '../queries.ts';
import { refuseClipChange, requireClip } from '../require-clip.ts';
import { timesShown } from '../times.ts';

export interface NewLabel {
  readonly name: string;
  readonly startMs: number;
  /** 0 to 100. */
  readonly confidence: number;
}

const certain = 100;

export async function findTagsOfClip(db: Db, caller: Caller, clipID: number): Promise<AudioClipTag[]> {
  await requireClip(db, caller, 'read', clipID);
  return listTagsOfClips(db, caller, [clipID], undefined);
}

export async function tagClip(
  db: Pool,
  caller: Caller,
  clipID: number,
  given: CreateAudioClipTag,
): Promise<AudioClipTag> {
  return inTransaction(db, async (tx) => {
    const clip = (await lockClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
    const offsetMs = offsetOf(clip, given);
    const tagID = await requireTag(tx, caller, given);
    return putClipTag(tx, caller, { clipID, tagID, offsetMs, confidence: given.confidence ?? certain });
  });
}

/** Within the clip, in milliseconds from its start. */
function offsetOf(clip: StoredClip, { timestamp, timestampMs }: CreateAudioClipTag): number {
  if (timestamp === undefined) return 0;
  const { startMs, endMs } = timesShown(clip);
  // A second without milliseconds means the part of that second that is within the clip.
  const isStart = timestampMs === undefined && timestamp === Math.floor(startMs / 1000);
  const offsetMs = isStart ? 0 : timestamp * 1000 + (timestampMs ?? 0) - startMs;
  const lengthMs = endMs === null ? longestClipSeconds * 1000 : endMs - startMs;
  if (offsetMs !== 0 && (offsetMs < 0 || offsetMs >= lengthMs)) {
    throw invalidField('timestamp', 'must be within the clip');
  }
  return offsetMs;
}

async function requireTag(tx: Db, caller: Caller, { tagID, tagName }: CreateAudioClipTag): Promise<number> {
  if (tagID) {
    const found = await findTag(tx, caller, tagID);
    if (found === undefined) throw invalidField('tagID', 'names no tag; see /v1/tag/list, or give tagName');
    return found;
  }
  if (!tagName) throw invalidField('tagName', 'or tagID is required');
  return putTag(tx, caller, tagName);
}

export async function untagClip(db: Db, caller: Caller, clipID: number, clipTagID: number): Promise<void> {
  if (await removeClipTag(db, caller, clipID, clipTagID)) return;
  await requireClip(db, caller, 'write', clipID);
  throw notFound('tag', clipTagID);
}
