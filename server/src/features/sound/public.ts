import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SharedMedia } from '../../platform/media/limited-media.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';
import { sniffBytes } from '../../platform/media/sniff.ts';
import type { SoundFacts } from '../../platform/media/sound.ts';
import type { NewRecording } from '../audio-clip/public.ts';
import { changeClip, endOfSound, faultOfLength, lockClip, refuseClipChange, timesShown } from '../audio-clip/public.ts';
import { makeSoundAvailable, removeUnusedFiles } from '../file/public.ts';

/** The format is recognised within this many bytes, unless pictures precede the sound. */
export const soundHeadBytes = 65_536;

const notSound = () =>
  new Refusal(
    'unsupportedType',
    'The format of this sound is not supported: send WAV, FLAC, MP3, Ogg/Opus, AAC/M4A or WebM.',
  );

/** Throws 415 if the file is no sound, and 413 if it cannot be the sound of a clip. */
export async function examineSound(
  media: SharedMedia,
  path: string,
  ownerID: number,
  signal?: AbortSignal,
): Promise<SoundFacts> {
  const facts = await probeSound(media, path, ownerID, signal).catch((error: unknown) => {
    if (error instanceof MediaError)
      throw new Refusal('tooLarge', `${error.message}. A clip is at most 24 hours long.`);
    throw error;
  });
  if (!facts) throw notSound();
  const fault = faultOfLength(facts.durationMs);
  if (fault !== undefined) throw new Refusal('tooLarge', `The sound is ${fault}.`);
  return facts;
}

/** Rejects bytes that are not sound as soon as possible, before all of them have arrived. */
export async function* soundOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < soundHeadBytes) continue;
    await requireSoundAt(head);
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  await requireSoundAt(head);
  yield head;
}

async function requireSoundAt(head: Buffer): Promise<void> {
  const hasTags = head.toString('latin1', 0, 3) === 'ID3';
  if (!hasTags && !(await sniffBytes(async () => head.subarray(0, soundHeadBytes)))) throw notSound();
}

export interface AttachedSound {
  readonly fileID: number;
  readonly size: number;
  readonly facts: SoundFacts;
  readonly recording: NewRecording;
}

/** Gives an existing clip a stored file as its sound. Locks the device and the clip, then the file. */
export async function attachSound(
  tx: Db,
  caller: Caller,
  clipID: number,
  { fileID, size, facts, recording }: AttachedSound,
): Promise<AudioClip> {
  const clip = (await lockClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
  await makeSoundAvailable(tx, fileID, facts, { sha256: recording.sha256, contentType: facts.contentType });
  const { startMs, endMs } = timesShown(clip);
  const changed = await changeClip(tx, caller, clipID, {
    fileID,
    fileSize: size,
    recording,
    status: audioClipStatus.available,
    bitrate: clip.bitrate ?? Math.round(facts.bitrate),
    ...(endMs === null ? { endMs: endOfSound(startMs, facts.durationMs) } : {}),
  });
  if (clip.fileID) await removeUnusedFiles(tx, [clip.fileID]);
  return changed ?? refuseClipChange(tx, caller, clipID);
}
