import { once } from 'node:events';
import { Readable } from 'node:stream';
import { mostMailSoundBytes, mostMailSounds } from '@earshot/contract/channel-kinds';
import type { Db } from '../../../platform/database/connect.ts';
import { extensionOf } from '../../../platform/media/extensions.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { SendAnswer, ToldSound, ToldSounds } from '../kinds/kind.ts';
import type { SoundOfAlert } from './content-queries.ts';
import { findSoundsOfAlert } from './content-queries.ts';
import type { MessageRecipient } from './message.ts';
import type { TakenDelivery } from './take-queries.ts';

/*
 * Sound goes from the store to the mail server piece by piece: of each clip, no more than one piece is in memory. If it
 * cannot be read, or the mail does not arrive with it, the message is tried again, and then sent without it.
 */

interface SoundParts {
  readonly db: Db;
  readonly storage: Storage;
  readonly publicOrigin: string | undefined;
}

const mostTriesWithSound = 3;
const storeWithinMs = 5_000;
const unreadable: SendAnswer = {
  outcome: 'later',
  said: 'the sound could not be read from the store',
  isOurFault: true,
};

/** Sends the message with the sound of the alert's first clips, and without it if that does not succeed. */
export async function sendWithSounds(
  { db, storage, publicOrigin }: SoundParts,
  { alertID, attempts }: TakenDelivery,
  { caller, isOutside }: MessageRecipient,
  send: (sounds: ToldSounds) => Promise<SendAnswer>,
): Promise<SendAnswer> {
  const clips = await findSoundsOfAlert(db, caller, alertID ?? 0, { isOutside, most: mostMailSounds });
  const clipOf = ({ audioClipID }: SoundOfAlert, why: string) => ({
    audioClipID,
    why,
    ...(publicOrigin === undefined ? {} : { url: `${publicOrigin}/clips/${audioClipID}` }),
  });
  const without = (why: string) => send({ attached: [], left: clips.map((clip) => clipOf(clip, why)) });
  if (attempts > mostTriesWithSound) return without(`the mail did not arrive with it ${mostTriesWithSound} times`);

  const attached: ToldSound[] = [];
  const left: ToldSounds['left'][number][] = [];
  let bytes = 0;
  const reading = { hasFailed: false };
  for (const clip of clips) {
    const fault = faultOf(clip, bytes);
    const size = fault === undefined ? await sizeInTime(storage, clip.storageName ?? '') : undefined;
    if (size === null) return unreadable;
    if (fault !== undefined || size !== clip.fileSize) {
      left.push(clipOf(clip, fault ?? 'its sound is missing in the store'));
      continue;
    }
    bytes += size;
    const contentType = clip.contentType ?? 'application/octet-stream';
    const read = () => readExactly(storage, clip.storageName ?? '', size, () => (reading.hasFailed = true));
    attached.push({ name: `clip-${clip.audioClipID}.${extensionOf(contentType)}`, contentType, read });
  }
  const answer = await send({ attached, left }).catch((error: unknown) => {
    if (reading.hasFailed) return unreadable;
    throw error;
  });
  if (reading.hasFailed && answer.outcome !== 'accepted') return unreadable;
  const isTooMuch = answer.outcome === 'refused' && attached.length > 0;
  return isTooMuch ? without('the mail server refused the mail with it') : answer;
}

/** Null: the store failed, or did not answer in time. */
async function sizeInTime(storage: Storage, name: string): Promise<number | null | undefined> {
  const late = once(AbortSignal.timeout(storeWithinMs), 'abort').then(() => null);
  return Promise.race([storage.sizeOf(name), late]).catch(() => null);
}

function faultOf({ storageName, fileSize }: SoundOfAlert, bytesBefore: number): string | undefined {
  if (storageName === null || fileSize === null) return 'its sound is not here';
  if (bytesBefore + fileSize > mostMailSoundBytes) return `a mail has at most ${mostMailSoundBytes / 1e6} MB of sound`;
  return undefined;
}

function readExactly(storage: Storage, name: string, size: number, onFault: () => void): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let count = 0;
    try {
      for await (const piece of await storage.read(name)) {
        count += (piece as Buffer).length;
        if (count > size) break;
        yield piece as Buffer;
      }
      if (count !== size) throw new Error(`the file ${name} has not the ${size} bytes of its record`);
    } catch (error) {
      onFault();
      throw error;
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}
