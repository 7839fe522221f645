import { audioClipStatuses } from '@earshot/contract/audio-clip-status';
import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { soundExtensions } from '@earshot/contract/sound-file-names';
import { conflict } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Content } from '../../../platform/http/answer/send-content.ts';
import type { Container } from '../../../platform/media/sound.ts';
import { contentTypes } from '../../../platform/media/sound.ts';
import type { Waveforms } from './waveforms.ts';
import { reducePeaks } from './waveforms.ts';
import type { ReadLog } from '../../audit/public.ts';
import { noteWhenRead } from '../../audit/public.ts';
import { requireClip } from '../../audio-clip/public.ts';
import type { SoundParts } from '../../file/public.ts';
import { contentOf } from '../../file/public.ts';
import type { ClipSound } from './queries.ts';
import { findSound } from './queries.ts';
import { extensions } from '../../../platform/media/extensions.ts';

const usualPoints = 2_000;

export interface PlayParts extends SoundParts {
  readonly readLog: ReadLog;
}

export async function readSound({ db, storage, readLog }: PlayParts, caller: Caller, clipID: number): Promise<Content> {
  const file = await requireSound(db, caller, clipID);
  const content = { ...contentOf(storage, file), filename: downloadName(file) };
  return noteWhenRead(content, () => readLog.note(caller, 'sound-played', clipID, file.deviceID));
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

async function requireSound(db: Db, caller: Caller, clipID: number): Promise<ClipSound> {
  const sound = await findSound(db, caller, clipID);
  if (sound) return sound;
  const { audioClipStatus } = await requireClip(db, caller, 'read', clipID);
  const state = audioClipStatuses.find(({ key }) => key === audioClipStatus)?.name;
  throw conflict(`The sound of this clip is not on the server: its status is ${audioClipStatus}, ${state}.`);
}

/** The title of the clip with the extension of its sound. */
function downloadName({ title, filename, contentType }: ClipSound): string {
  if (title === null) return filename;
  const own = new RegExp(`\\.(${soundExtensions})$`, 'i').exec(filename)?.[1];
  const container = Object.entries(contentTypes).find(([, type]) => type === contentType)?.[0] as Container | undefined;
  const extension = own ?? (container && extensions[container]);
  return extension === undefined ? title : `${title}.${extension}`;
}
