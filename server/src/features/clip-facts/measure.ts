import type { Pool } from '../../platform/database/connect.ts';
import type { SpeechMeter } from '../../platform/listening/engine.ts';
import { EngineUnavailable, ListeningFailed, sampleRate } from '../../platform/listening/engine.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import type { MeasuredSound } from '../../platform/media/measure/measured-sound.ts';
import { StoredFileMissing } from '../../platform/storage/storage-error.ts';
import type { SoundParts } from '../file/public.ts';
import type { ClipToMeasure, Facts } from './store-queries.ts';

export interface MeasureParts extends SoundParts {
  readonly db: Pool;
  /** Undefined if this node has no voice gate: then it stays unknown how much speech there is. */
  readonly speech: SpeechMeter | undefined;
}

/** The sound cannot be read, now and possibly ever. Its message is for people. */
export class NotMeasurable extends Error {}

/** Decodes the sound once. Throws NotMeasurable for sound that cannot be read. */
export async function measureClip(
  { storage, scratch, media, speech }: MeasureParts,
  { storageName }: ClipToMeasure,
  signal: AbortSignal,
): Promise<Facts> {
  try {
    return await scratch.withStored(
      storage,
      storageName,
      async (path) => {
        let measured: MeasuredSound | undefined;
        const open = () =>
          media.decode(path, { sampleRate, channels: 1, signal, onMeasured: (facts) => (measured = facts) });
        const speechMs = speech && (await findSpeech(() => speech.measureSpeech(open(), { signal })));
        if (!measured) for await (const _ of open());
        signal.throwIfAborted();
        if (!measured) throw new NotMeasurable('The sound is empty.');
        return { ...measured, speechMs };
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MediaError) throw new NotMeasurable(`${error.message}.`, { cause: error });
    if (error instanceof StoredFileMissing)
      throw new NotMeasurable('The sound is missing in storage.', { cause: error });
    throw error;
  }
}

/** Undefined while the voice gate cannot work: the other facts do not wait for it. */
async function findSpeech(measure: () => Promise<number>): Promise<number | undefined> {
  try {
    return await measure();
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof ListeningFailed) return undefined;
    throw error;
  }
}
