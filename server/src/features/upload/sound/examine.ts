import { Refusal } from '../../../errors.ts';
import type { SharedMedia } from '../../../platform/media/limited-media.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import { probeSound } from '../../../platform/media/probe-sound.ts';
import { sniffBytes, sniffSound } from '../../../platform/media/sniff.ts';
import type { Container, SoundFacts } from '../../../platform/media/sound.ts';
import { faultOfLength } from '../../audio-clip/public.ts';

/** The format is recognised within this many bytes, unless pictures precede the sound. */
export const soundHeadBytes = 65_536;

const notSound = () =>
  new Refusal(
    'unsupportedType',
    'The format of this sound is not supported: send WAV, FLAC, MP3, Ogg/Opus, AAC/M4A or WebM.',
  );

/** A file of a known format that a recorder has begun and not filled, or whose beginning is damaged. */
const emptySound = (container: Container) =>
  new Refusal(
    'unsupportedType',
    `The file begins as ${container.toUpperCase()}, but has no sound that can be read: it is cut off or damaged.`,
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
  if (!facts) {
    const begun = await sniffSound(path);
    throw begun ? emptySound(begun.container) : notSound();
  }
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
