import { inTransaction } from '../../../platform/database/connect.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import { probeSound } from '../../../platform/media/probe-sound.ts';
import type { SoundFacts } from '../../../platform/media/sound.ts';
import type { OrderCaptions } from '../../audio-clip/public.ts';
import { faultOfLength } from '../../audio-clip/public.ts';
import type { Wakeups } from '../../event/public.ts';
import type { SoundParts } from '../../file/public.ts';
import { insertFile, makeSoundAvailable, removeUnusedFiles } from '../../file/public.ts';
import { noteTalkgroup } from '../../talkgroup/public.ts';
import type { AcceptedKey, RecorderSource, UploadKeyParts } from '../../upload-key/public.ts';
import { callerFor, deviceOfSource, useBytes } from '../../upload-key/public.ts';
import type { ReceivedSound } from '../../../platform/recorder-form/receive-form.ts';
import type { ReadUnit } from '../../../platform/recorder-form/read-values.ts';
import { readShortText } from '../../../platform/recorder-form/read-values.ts';
import { addCall, hasCall } from './add-call.ts';

/** A radio call as any protocol sends it. */
export interface CallToStore {
  readonly recorder: RecorderSource;
  /** As the recorder gave it. A clip of another call with this start moves this one by milliseconds. */
  readonly startMs: number;
  readonly talkgroup: number;
  readonly label: string | null;
  readonly name: string | null;
  /** Its categories, the main one first. */
  readonly groups: readonly string[];
  readonly tag: string | null;
  readonly units: readonly ReadUnit[];
  readonly talkerAlias: string | null;
  /** In hertz, the main one first. */
  readonly frequencies: readonly number[];
  readonly isEmergency: boolean;
  readonly site: string | null;
  readonly patches: readonly number[];
}

export interface StoreParts extends SoundParts {
  readonly keys: UploadKeyParts;
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
}

type StoreOutcome =
  | { readonly kind: 'stored'; readonly audioClipID: number }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'not sound'; readonly reason: string };

const dayMs = 86_400_000;

/** Stores a call with its sound completely or not at all. */
export async function storeCall(
  parts: StoreParts,
  key: AcceptedKey,
  call: CallToStore,
  sound: ReceivedSound,
  signal: AbortSignal,
): Promise<StoreOutcome> {
  const { db } = parts;
  const deviceID = await deviceOfSource(db, key, call.recorder);
  const caller = callerFor(key, deviceID);
  const identity = { deviceID, startMs: call.startMs, talkgroup: call.talkgroup, sha256: sound.sha256 };
  if (await hasCall(db, identity)) return { kind: 'duplicate' };
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
    await parts.storage.storeFile(file.storageName, sound.path, sound.size);
    const isClockOff = Math.abs(Date.now() - call.startMs) > dayMs;
    const { durationMs, bitrate } = facts;
    const recording = { givenStartMs: call.startMs, sha256: sound.sha256, filename, soundFault: facts.fault };
    const stored = { fileID: file.key, fileSize: sound.size, durationMs, bitrate, recording };
    const added = await inTransaction(db, async (tx) => {
      const audioClipID = await addCall(tx, caller, identity, { ...call, isClockOff }, stored);
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
