import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { useFiles } from '../file/public.ts';
import { insertClips } from './announce/insert-queries.ts';
import type { NewRecording } from './recording/insert-queries.ts';
import { endOfSound } from './times.ts';

/** The sound of a new clip, stored and analysed. */
export interface StoredSound {
  readonly fileID: number;
  readonly fileSize: number;
  readonly durationMs: number;
  readonly bitrate: number;
  /** Missing: what the clip and its file tell. */
  readonly recording?: NewRecording | undefined;
}

/** Radio calls and uploaded recordings are clips without a special type. */
const callTypeID = 0;

/** Where a clip without a special type is: two clips never have the same place. */
interface ClipPlace {
  readonly deviceID: number;
  readonly startMs: number;
  /** 0 for clips that are no radio calls. */
  readonly talkgroup: number;
}

/**
 * Adds a clip with its sound. Returns its key, or undefined if the place is taken or the caller may not write to the
 * device. Locks the device, the clip and then the file (docs/decisions/0020).
 */
export async function addClipWithSound(
  tx: Db,
  caller: Caller,
  { deviceID, startMs, talkgroup }: ClipPlace,
  sound: StoredSound,
): Promise<number | undefined> {
  const clip = {
    typeID: callTypeID,
    startMs,
    talkgroup,
    endMs: endOfSound(startMs, sound.durationMs),
    status: audioClipStatus.available,
    fileID: sound.fileID,
    fileSize: sound.fileSize,
    bitrate: Math.round(sound.bitrate),
    tagListID: null,
    parameters: null,
    localFilePath: null,
  };
  const [added] = await useFiles(tx, [sound.fileID], () =>
    insertClips(tx, caller, { deviceID }, [clip], sound.recording),
  );
  return added?.key;
}
