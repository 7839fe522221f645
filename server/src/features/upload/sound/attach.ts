import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SoundFacts } from '../../../platform/media/sound.ts';
import type { NewRecording, StoredClip } from '../../audio-clip/public.ts';
import {
  changeClip,
  describeChange,
  endOfSound,
  findHash,
  holdClip,
  refuseClipChange,
  settleSound,
  timesShown,
} from '../../audio-clip/public.ts';
import { makeSoundAvailable, removeUnusedFiles } from '../../file/public.ts';

interface AttachedSound {
  readonly fileID: number;
  readonly size: number;
  readonly facts: SoundFacts;
  readonly recording: NewRecording;
}

/**
 * Gives an existing clip a stored file as its sound. Locks the device and the clip, then the file. A clip that must keep
 * its sound keeps it if the bytes are the same, and the new file is removed.
 */
export async function attachSound(
  tx: Db,
  caller: Caller,
  clipID: number,
  { fileID, size, facts, recording }: AttachedSound,
): Promise<StoredClip> {
  const held = (await holdClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
  const { clip } = held;
  const hashes = { given: recording.sha256, former: await findHash(tx, held) };
  if (settleSound(held, caller, 'content', hashes) === 'keep') {
    await removeUnusedFiles(tx, [fileID]);
    return clip;
  }
  await makeSoundAvailable(tx, fileID, facts, { sha256: recording.sha256, contentType: facts.contentType });
  const { startMs, endMs } = timesShown(clip);
  const changes = {
    fileID,
    fileSize: size,
    recording,
    status: audioClipStatus.available,
    bitrate: clip.bitrate ?? Math.round(facts.bitrate),
    ...(endMs === null ? { endMs: endOfSound(startMs, facts.durationMs) } : {}),
  };
  const changed = await changeClip(tx, caller, clipID, changes, describeChange(held, caller, changes));
  if (clip.fileID) await removeUnusedFiles(tx, [clip.fileID]);
  return changed ?? refuseClipChange(tx, caller, clipID);
}
