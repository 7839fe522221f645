import { inTransaction } from '../../platform/database/connect.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';
import type { SoundFacts } from '../../platform/media/sound.ts';
import type { OrderCaptions } from '../audio-clip/public.ts';
import { addCall, callExists, faultOfLength } from '../audio-clip/public.ts';
import type { Wakeups } from '../event/public.ts';
import type { SoundParts } from '../file/public.ts';
import { insertFile, makeSoundAvailable, removeUnusedFiles } from '../file/public.ts';
import { noteTalkgroup } from '../talkgroup/public.ts';
import type { AcceptedKey, RecorderSource, UploadKeyParts } from '../upload-key/public.ts';
import { acceptUploadKey, callerFor, deviceOfSource, useBytes } from '../upload-key/public.ts';
import type { ReceivedSound, ReceiveParts } from '../../platform/uploads/receive-upload.ts';
import { readShortText } from '../../platform/uploads/read-values.ts';
import type { UnknownBytes } from '../../platform/uploads/unknown-bytes.ts';
import { createUnknownBytes } from '../../platform/uploads/unknown-bytes.ts';
import type { Resources, Services } from '../../feature.ts';

/** A radio call as any protocol sends it. */
export interface UploadedCall {
  readonly recorder: RecorderSource;
  readonly startMs: number;
  readonly talkgroup: number;
  readonly label: string | null;
  readonly name: string | null;
  readonly group: string | null;
  readonly tag: string | null;
  readonly units: readonly number[];
  readonly frequency: number | null;
  readonly isEmergency: boolean;
  readonly site: string | null;
  readonly patches: readonly number[];
}

export interface StoreParts extends SoundParts {
  readonly keys: UploadKeyParts;
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
}

export type StoreOutcome =
  | { readonly kind: 'stored'; readonly audioClipID: number }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'not sound'; readonly reason: string };

const dayMs = 86_400_000;

/** Stores a call with its sound completely or not at all. */
export async function storeCall(
  parts: StoreParts,
  key: AcceptedKey,
  call: UploadedCall,
  sound: ReceivedSound,
  signal: AbortSignal,
): Promise<StoreOutcome> {
  const { db } = parts;
  const deviceID = await deviceOfSource(db, key, call.recorder);
  const caller = callerFor(key, deviceID);
  if (await callExists(db, deviceID, call)) return { kind: 'duplicate' };
  const facts = await probe(parts, sound, key.userID, signal);
  if (typeof facts === 'string') return { kind: 'not sound', reason: facts };
  await useBytes(parts.keys, key, sound.size);
  const filename = readShortText(sound.filename);
  const file = await insertFile(db, {
    userID: null,
    deviceID,
    filename: filename ?? 'call',
    fileSize: sound.size,
    sha256: sound.sha256,
    contentType: facts.contentType,
  });
  try {
    await parts.storage.takeFile(file.storageName, sound.path, sound.size);
    const isClockOff = Math.abs(Date.now() - call.startMs) > dayMs;
    const { durationMs, bitrate } = facts;
    const recording = { givenStartMs: call.startMs, sha256: sound.sha256, filename, soundFault: facts.fault };
    const stored = { fileID: file.key, fileSize: sound.size, durationMs, bitrate, recording };
    const added = await inTransaction(db, async (tx) => {
      const audioClipID = await addCall(tx, caller, deviceID, call.startMs, { ...call, isClockOff }, stored);
      if (audioClipID === undefined) return undefined;
      await makeSoundAvailable(tx, file.key, facts);
      await noteTalkgroup(tx, deviceID, call);
      return { audioClipID, devices: await parts.orderCaptions(tx, caller, [audioClipID]) };
    });
    if (!added) {
      // The same call arrived twice at once.
      await inTransaction(db, (tx) => removeUnusedFiles(tx, [file.key]));
      return { kind: 'duplicate' };
    }
    parts.wakeups.add(added.devices);
    return { kind: 'stored', audioClipID: added.audioClipID };
  } catch (error) {
    // If the response to a commit was lost, the clip has the file and keeps it. The bytes are removed with the record.
    await inTransaction(db, (tx) => removeUnusedFiles(tx, [file.key])).catch(() => {});
    throw error;
  }
}

/** The facts of the sound, or why it cannot be used. */
async function probe(
  { media }: StoreParts,
  { path, size }: ReceivedSound,
  ownerID: number,
  signal: AbortSignal,
): Promise<SoundFacts | string> {
  if (size === 0) return 'no audio';
  try {
    const facts = await probeSound(media, path, ownerID, signal);
    if (!facts) return 'the audio is no sound in a supported format';
    const fault = faultOfLength(facts.durationMs);
    return fault === undefined ? facts : `the audio is ${fault}`;
  } catch (error) {
    if (error instanceof MediaError) return `the audio cannot be used: ${error.message}`;
    throw error;
  }
}

export type RecorderUploadParts = ReceiveParts<AcceptedKey> & StoreParts;

/** Shared by all gateways of a node, because the limits are for all of them together. */
const unknownBytesOf = new WeakMap<object, UnknownBytes>();

/** What a gateway needs. */
export function recorderUploadParts(parts: Resources & Services): RecorderUploadParts {
  const { db, storage, scratch, media, rateLimit, config, events, orderCaptions } = parts;
  const unknownBytes = unknownBytesOf.get(scratch) ?? createUnknownBytes();
  unknownBytesOf.set(scratch, unknownBytes);
  const keys = { db, rateLimit, limits: config.uploadKeyLimits };
  return {
    db,
    storage,
    scratch,
    media,
    orderCaptions,
    keys,
    unknownBytes,
    wakeups: events.wakeups,
    acceptKey: (secret, address) => acceptUploadKey(keys, secret, address),
  };
}
