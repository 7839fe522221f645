import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { largestFileBytes } from '@earshot/contract/file';
import { Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { ReceivedBytes } from '../../platform/http/read/body-stream.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import { sniffBytes } from '../../platform/media/sniff.ts';
import type { Container, SoundFacts } from '../../platform/media/sound.ts';
import { hashing } from '../../platform/storage/hashing.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';
import type { RecordedPosition } from '../../platform/media/guano.ts';
import { readGuanoPosition } from '../../platform/media/guano.ts';
import { storePositionOfFile } from '../device-position/public.ts';
import {
  changeClip,
  endOfSound,
  faultOfLength,
  lockClip,
  refuseClipChange,
  requireClip,
  timesShown,
} from '../audio-clip/public.ts';
import { findDeviceOwner } from '../device/public.ts';
import { insertFile, makeSoundAvailable, removeUnusedFiles } from '../file/public.ts';
import type { SoundParts } from '../file/public.ts';
import type { Wakeups } from '../event/public.ts';

/** The format is recognised within this many bytes, unless pictures precede the sound. */
const headBytes = 65_536;

const extensions: Readonly<Record<Container, string>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  ogg: 'ogg',
  mp4: 'm4a',
  webm: 'webm',
  adts: 'aac',
};

const notSound = () =>
  new Refusal(
    'unsupportedType',
    'The format of this sound is not supported: send WAV, FLAC, MP3, Ogg/Opus, AAC/M4A or WebM.',
  );

import type { OrderCaptions } from '../audio-clip/public.ts';

export interface PutParts extends SoundParts {
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
}

/** Nothing is stored before the format is recognised, and the clip gets the file only when it is stored completely. */
export async function putSound(
  parts: PutParts,
  caller: Caller,
  clipID: number,
  body: ReceivedBytes,
): Promise<AudioClip> {
  const clip = await requireClip(parts.db, caller, 'write', clipID);
  const source = hashing(soundOnly(limited(body.bytes, body.length)));
  return parts.scratch.withFile(
    source,
    async (path) => {
      const facts = await probeClip(parts, clip, path, body.signal);
      const position = await readGuanoPosition(path);
      const sound: NewSound = { path, facts, position, size: source.size, sha256: source.digest() };
      return store(parts, caller, clip, sound);
    },
    body.signal,
  );
}

async function probeClip(parts: PutParts, clip: AudioClip, path: string, signal: AbortSignal): Promise<SoundFacts> {
  const ownerID = await findDeviceOwner(parts.db, clip.deviceID ?? 0);
  const facts = await probeSound(parts.media, path, ownerID, signal).catch((error: unknown) => {
    if (error instanceof MediaError)
      throw new Refusal('tooLarge', `${error.message}. A clip is at most 24 hours long.`);
    throw error;
  });
  if (!facts) throw notSound();
  const fault = faultOfLength(facts.durationMs);
  if (fault !== undefined) throw new Refusal('tooLarge', `The sound is ${fault}.`);
  return facts;
}

async function* limited(bytes: AsyncIterable<Uint8Array>, length = 0): AsyncGenerator<Uint8Array> {
  const refuse = () => new Refusal('tooLarge', `A file has at most ${largestFileBytes} bytes.`);
  if (length > largestFileBytes) throw refuse();
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largestFileBytes) throw refuse();
    yield chunk;
  }
}

/** Rejects bytes that are not sound as soon as possible, before all of them have arrived. */
async function* soundOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
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
  if (!hasTags && !(await sniffBytes(async () => head.subarray(0, headBytes)))) throw notSound();
}

interface NewSound {
  readonly path: string;
  readonly facts: SoundFacts;
  readonly position: RecordedPosition | undefined;
  readonly size: number;
  readonly sha256: string;
}

async function store(parts: PutParts, caller: Caller, clip: AudioClip, sound: NewSound): Promise<AudioClip> {
  const { db, storage } = parts;
  const { path, facts, position, size, sha256 } = sound;
  const file = await insertFile(db, {
    userID: null,
    deviceID: clip.deviceID ?? 0,
    filename: `clip-${clip.key}.${extensions[facts.container]}`,
    fileSize: size,
    sha256,
    contentType: facts.contentType,
  });
  try {
    await storage.takeFile(file.storageName, path, size);
    const { attached, devices } = await inTransaction(db, async (tx) => {
      const changed = await attach(tx, caller, clip.key ?? 0, { fileID: file.key, size, facts });
      const ordered = await parts.orderCaptions(tx, caller, [clip.key ?? 0]);
      const date = new Date(timesShown(changed).startMs);
      if (position) await storePositionOfFile(tx, clip.deviceID ?? 0, position, date);
      return { attached: changed, devices: ordered };
    });
    parts.wakeups.add(devices);
    return attached;
  } catch (error) {
    // If the response to a commit was lost, the clip has the file and keeps it. The bytes are removed with the record.
    await inTransaction(db, (tx) => removeUnusedFiles(tx, [file.key])).catch(() => {});
    throw error;
  }
}

interface StoredSound {
  readonly fileID: number;
  readonly size: number;
  readonly facts: SoundFacts;
}

async function attach(
  tx: Db,
  caller: Caller,
  clipID: number,
  { fileID, size, facts }: StoredSound,
): Promise<AudioClip> {
  const clip = (await lockClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
  await makeSoundAvailable(tx, fileID, facts);
  const { startMs, endMs } = timesShown(clip);
  const changed = await changeClip(tx, caller, clipID, {
    fileID,
    fileSize: size,
    status: audioClipStatus.available,
    bitrate: clip.bitrate ?? Math.round(facts.bitrate),
    ...(endMs === null ? { endMs: endOfSound(startMs, facts.durationMs) } : {}),
  });
  if (clip.fileID) await removeUnusedFiles(tx, [clip.fileID]);
  return changed ?? refuseClipChange(tx, caller, clipID);
}
