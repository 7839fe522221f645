import { type SoundFacts, type SoundFile, type SoundShape, contentTypes } from './sound.ts';
import { readWavLayout } from './wav-header.ts';

export interface PlainWav {
  readonly shape: SoundShape;
  readonly dataBytes: number;
  readonly seconds: number;
}

/** What any program reads; of anything beyond, a program says whether it is sound. */
const usual = { channels: 8, sampleRate: 768_000 };

/** Its header tells everything, and starting a program takes a hundred times as long as reading it. */
export async function readPlainWav(file: SoundFile, signal: AbortSignal | undefined): Promise<PlainWav | undefined> {
  signal?.throwIfAborted();
  const layout = file.container === 'wav' ? await readWavLayout(file.path) : undefined;
  if (!layout || layout.channels > usual.channels || layout.sampleRate > usual.sampleRate) return undefined;
  const { dataBytes, frameBytes, container, codec, sampleRate, channels, bitDepth } = layout;
  const shape = { container, codec, sampleRate, channels, bitDepth };
  return { shape, dataBytes, seconds: dataBytes / frameBytes / sampleRate };
}

/** Undefined: there is no sound in it. */
export const factsOfSound = <Shape extends SoundShape>(
  shape: Shape,
  seconds: number,
  bytes: number,
): (Shape & SoundFacts) | undefined =>
  seconds > 0
    ? {
        ...shape,
        contentType: contentTypes[shape.container],
        durationMs: Math.max(1, Math.round(seconds * 1000)),
        bitrate: Math.round((bytes * 8) / seconds),
      }
    : undefined;
