import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import type { RecordedPosition } from '@earshot/contract/guano';
import { guanoPosition } from '@earshot/contract/guano';
import { readRecordingTime, recordingHeadBytes } from '@earshot/contract/recording-time';
import type { ClipResult } from '@earshot/contract/upload';
import { conflict, Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { readGuanoText } from '../../platform/media/guano.ts';
import type { SoundFacts } from '../../platform/media/sound.ts';
import { hashAll } from '../../platform/storage/hashing.ts';
import { requireDevice } from '../../access.ts';
import type { NearbyClip, NewRecording } from '../audio-clip/public.ts';
import { addClipWithSound, findClipsNear } from '../audio-clip/public.ts';
import { storePositionOfFile } from '../device/public.ts';
import { makeSoundAvailable, removeUnusedFiles } from '../file/public.ts';
import { attachSound } from './sound/attach.ts';
import { examineSound } from './sound/examine.ts';
import { readMetadata } from './metadata.ts';
import { lockStart, markFinished } from './queries.ts';
import type { OpenUpload, TusParts } from './rules.ts';
import { discardUpload } from './rules.ts';

/** What is known of a recording when all its bytes are there. */
interface Recording {
  readonly facts: SoundFacts;
  readonly sha256: string;
  readonly startMs: number;
  readonly position: RecordedPosition | undefined;
}

/**
 * Makes an upload whose bytes are all there a clip, and returns it. Can be repeated, at the same time as well: a
 * node may have died, or the client may have lost the response.
 */
export async function finishUpload(parts: TusParts, caller: Caller, upload: OpenUpload): Promise<StoredClip> {
  const { storage, scratch } = parts;
  const { storageName, size } = upload;
  try {
    await storage.finish(storageName, size);
    const recording = await scratch.withStored(storage, storageName, (path) => examine(parts, upload, path));
    return await storeRecording(parts, caller, upload, recording);
  } catch (error) {
    if (isFinal(error)) await discardUpload(parts, upload);
    throw error;
  }
}

/** Whether these bytes, which are sound, can never become a clip. */
const isFinal = (error: unknown): boolean =>
  error instanceof Refusal && ['tooLarge', 'checksumMismatch'].includes(error.code);

async function examine({ media }: TusParts, upload: OpenUpload, path: string): Promise<Recording> {
  const facts = await examineSound(media, path, upload.ownerID);
  const sha256 = await hashAll(createReadStream(path));
  if (upload.sha256 !== null && upload.sha256 !== sha256) {
    const detail = `The SHA-256 of the recording is ${sha256}, not ${upload.sha256}; upload it again.`;
    throw new Refusal('checksumMismatch', detail);
  }
  const guano = await readGuanoText(path);
  return {
    facts,
    sha256,
    startMs: upload.startMs ?? (await readStart(upload, path, guano)),
    position: guano === undefined ? undefined : guanoPosition(guano),
  };
}

async function readStart(upload: OpenUpload, path: string, guano: string | undefined): Promise<number> {
  const head = await readHead(path);
  const lastModifiedMs = upload.lastModifiedMs ?? upload.creationDate.getTime();
  return readRecordingTime({ head, name: upload.filename ?? '', lastModifiedMs, guano }).start ?? lastModifiedMs;
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(recordingHeadBytes), 0, recordingHeadBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function storeRecording(
  parts: TusParts,
  caller: Caller,
  upload: OpenUpload,
  recording: Recording,
): Promise<StoredClip> {
  const { clip, devices } = await inTransaction(parts.db, async (tx) => {
    await requireDevice(tx, caller, 'write', upload.deviceID);
    const stored = await storeClip(tx, caller, upload, recording);
    const { audioClipID } = stored;
    const ordered = stored.clipResult === 'existing' ? [] : await parts.orderCaptions(tx, caller, [audioClipID]);
    const clipResult = await markFinished(tx, upload.key, audioClipID, stored.clipResult);
    return { clip: { audioClipID, clipResult }, devices: ordered };
  });
  parts.wakeups.add(devices);
  return clip;
}

/** A recording is moved by less than this, to keep it apart from others that have the same start. */
const mostMovedMs = 1_000;
/** How often another request may take the place that was found free. */
const mostAttempts = 20;

interface StoredClip {
  readonly audioClipID: number;
  readonly clipResult: ClipResult;
}

/**
 * Two clips of a device cannot have the same start. The clip of the same recording is the clip of this upload too, and
 * gets the sound if retention removed it; a sound that a person has replaced or taken away does not come back. An announced
 * clip that never had sound gets this one. A clip with other sound moves this one by a millisecond: recorders name their
 * files by the second (docs/decisions/0032).
 */
async function storeClip(tx: Db, caller: Caller, upload: OpenUpload, recording: Recording): Promise<StoredClip> {
  const { deviceID, fileID, size } = upload;
  const { facts, startMs } = recording;
  const told = newRecording(upload, recording);
  await lockStart(tx, deviceID, startMs);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const nearby = await findClipsNear(tx, deviceID, startMs, mostMovedMs);
    const taken = new Set(nearby.filter(({ takesPlace }) => takesPlace).map((clip) => clip.startMs));
    const same = nearby.find((clip) => clip.fileID === fileID) ?? nearby.find((clip) => isSame(clip, recording, taken));
    if (same && (same.fileID !== null || same.isDetached || same.sha256 !== recording.sha256)) {
      if (same.fileID !== fileID) await removeUnusedFiles(tx, [fileID]);
      return { audioClipID: same.audioClipID, clipResult: 'existing' };
    }
    const empty = same ?? nearby.find((clip) => isAnnounced(clip, startMs));
    if (empty) {
      await attachSound(tx, caller, empty.audioClipID, { fileID, size, facts, recording: told });
      await storePosition(tx, upload, recording, empty.startMs);
      return { audioClipID: empty.audioClipID, clipResult: 'completed' };
    }
    const freeMs = firstFree(startMs, taken);
    const { durationMs, bitrate } = facts;
    const sound = { fileID, fileSize: size, durationMs, bitrate, recording: told };
    const added = await addClipWithSound(tx, caller, { deviceID, startMs: freeMs, talkgroup: 0 }, sound);
    if (added === undefined) continue;
    await makeSoundAvailable(tx, fileID, facts, { sha256: recording.sha256, contentType: facts.contentType });
    await storePosition(tx, upload, recording, freeMs);
    return { audioClipID: added, clipResult: 'created' };
  }
  throw conflict('Other recordings of this device with the same start are being stored; send the request again.');
}

function newRecording(upload: OpenUpload, { startMs, sha256, facts }: Recording): NewRecording {
  const { filename = null, grownFromID = null } = readMetadata(upload.metadata);
  return { givenStartMs: startMs, sha256, filename, grownFromID, soundFault: facts.fault };
}

/**
 * Whether the clip is this recording: the same given start and bytes. Of clips whose given start was not kept, it is the
 * start of the clip, or an earlier one if all milliseconds between were taken, so that the clip may have been moved.
 */
function isSame(clip: NearbyClip, { startMs, sha256 }: Recording, taken: ReadonlySet<number>): boolean {
  if (clip.sha256 !== sha256 && clip.firstSha256 !== sha256) return false;
  if (clip.givenStartMs !== null) return clip.givenStartMs === startMs;
  for (let ms = startMs; ms < clip.startMs; ms++) if (!taken.has(ms)) return false;
  return true;
}

/** Whether the clip begins here and never had sound. */
const isAnnounced = (clip: NearbyClip, startMs: number): boolean =>
  clip.takesPlace &&
  clip.startMs === startMs &&
  clip.fileID === null &&
  clip.sha256 === null &&
  !clip.isExpired &&
  !clip.isDetached;

function firstFree(startMs: number, taken: ReadonlySet<number>): number {
  for (let ms = startMs; ms < startMs + mostMovedMs; ms++) if (!taken.has(ms)) return ms;
  throw conflict('The device has a thousand recordings that begin in the same second; give another startDate.');
}

async function storePosition(tx: Db, upload: OpenUpload, { position }: Recording, startMs: number): Promise<void> {
  if (position) await storePositionOfFile(tx, upload.deviceID, position, new Date(startMs));
}
