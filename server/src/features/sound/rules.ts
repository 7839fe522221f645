import { audioClipStatus as clipStatus, audioClipStatuses } from '@earshot/contract/audio-clip-status';
import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { conflict } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { Waveforms } from './waveforms.ts';
import { reducePeaks } from './waveforms.ts';
import type { ReadLog } from '../audit/public.ts';
import { noteWhenRead } from '../audit/public.ts';
import { requireClip } from '../audio-clip/public.ts';
import type { SoundParts, StoredFile } from '../file/public.ts';
import { contentOf, findStoredFile } from '../file/public.ts';

const usualPoints = 2_000;

export interface PlayParts extends SoundParts {
  readonly readLog: ReadLog;
}

export async function readSound({ db, storage, readLog }: PlayParts, caller: Caller, clipID: number): Promise<Content> {
  const file = await requireSound(db, caller, clipID);
  return noteWhenRead(contentOf(storage, file), () => readLog.note(caller, 'sound-played', clipID, file.deviceID));
}

export async function readWaveform(
  { db }: SoundParts,
  waveforms: Waveforms,
  caller: Caller,
  clipID: number,
  points = usualPoints,
): Promise<Waveform> {
  const peaks = await waveforms.find(await requireSound(db, caller, clipID));
  return { audioClipID: clipID, durationMs: peaks.durationMs, ...reducePeaks(peaks, points) };
}

async function requireSound(db: Db, caller: Caller, clipID: number): Promise<StoredFile> {
  const { audioClipStatus = 0, fileID } = await requireClip(db, caller, 'read', clipID);
  const file = audioClipStatus === clipStatus.available && fileID ? await findStoredFile(db, fileID) : undefined;
  if (file?.fileStatus === 1) return file;
  const state = audioClipStatuses.find(({ key }) => key === audioClipStatus)?.name;
  throw conflict(`The sound of this clip is not on the server: its status is ${audioClipStatus}, ${state}.`);
}
