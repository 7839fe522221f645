import { largestFileBytes, longestFilename } from '@earshot/contract/file';
import type { RecordedPosition } from '@earshot/contract/guano';
import { Refusal } from '../../../errors.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { ReceivedBytes } from '../../../platform/http/read/body-stream.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SoundFacts } from '../../../platform/media/sound.ts';
import { hashing } from '../../../platform/storage/hashing.ts';
import { readGuanoPosition } from '../../../platform/media/guano.ts';
import type { OrderCaptions, StoredClip } from '../../audio-clip/public.ts';
import { requireClip, timesShown } from '../../audio-clip/public.ts';
import { findDeviceOwner, storePositionOfFile } from '../../device/public.ts';
import { insertFile, removeUnusedFiles } from '../../file/public.ts';
import type { SoundParts } from '../../file/public.ts';
import type { Wakeups } from '../../event/public.ts';
import { extensions } from '../../../platform/media/extensions.ts';
import { attachSound } from './attach.ts';
import { examineSound, soundOnly } from './examine.ts';

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
): Promise<StoredClip> {
  const clip = await requireClip(parts.db, caller, 'write', clipID);
  const source = hashing(soundOnly(limited(body.bytes, body.length)));
  return parts.scratch.withFile(
    source,
    async (path) => {
      const ownerID = await findDeviceOwner(parts.db, clip.deviceID);
      const facts = await examineSound(parts.media, path, ownerID, body.signal);
      const position = await readGuanoPosition(path);
      const sound: NewSound = { path, facts, position, size: source.size, sha256: source.digest() };
      return store(parts, caller, clip, sound);
    },
    body.signal,
  );
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

interface NewSound {
  readonly path: string;
  readonly facts: SoundFacts;
  readonly position: RecordedPosition | undefined;
  readonly size: number;
  readonly sha256: string;
}

async function store(parts: PutParts, caller: Caller, clip: StoredClip, sound: NewSound): Promise<StoredClip> {
  const { db, storage } = parts;
  const { path, facts, position, size, sha256 } = sound;
  const recording = {
    givenStartMs: timesShown(clip).startMs,
    sha256,
    filename: nameOnDevice(clip),
    soundFault: facts.fault,
  };
  const file = await insertFile(db, {
    userID: null,
    deviceID: clip.deviceID,
    filename: `clip-${clip.key}.${extensions[facts.container]}`,
    fileSize: size,
    sha256,
    contentType: facts.contentType,
  });
  try {
    await storage.storeFile(file.storageName, path, size);
    const { attached, devices } = await inTransaction(db, async (tx) => {
      const changed = await attachSound(tx, caller, clip.key, { fileID: file.key, size, facts, recording });
      const ordered = await parts.orderCaptions(tx, caller, [clip.key]);
      const date = new Date(timesShown(changed).startMs);
      if (position) await storePositionOfFile(tx, clip.deviceID, position, date);
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

/** A device announces where the recording is: the last part of that path is its name. */
const nameOnDevice = ({ localFilePath }: StoredClip): string | null =>
  localFilePath?.split(/[/\\]/).at(-1)?.trim().slice(0, longestFilename).toWellFormed() || null;
