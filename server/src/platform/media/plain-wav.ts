import type { SoundFacts, SoundFile, SoundShape } from './sound.ts';
import { contentTypes } from './sound.ts';
import { readWavLayout } from './wav-header.ts';

export interface PlainWav {
  readonly shape: SoundShape;
  readonly dataBytes: number;
  readonly seconds: number;
}

/** The limits within which any program reads WAV; beyond them, ffmpeg decides whether it is sound. */
const usual = { channels: 8, sampleRate: 768_000 };

/** The header contains all facts, and reading it is a hundred times faster than starting a program. */
export async function readPlainWav(file: SoundFile, signal: AbortSignal | undefined): Promise<PlainWav | undefined> {
  signal?.throwIfAborted();
  const layout = file.container === 'wav' ? await readWavLayout(file.path) : undefined;
  if (!layout || layout.channels > usual.channels || layout.sampleRate > usual.sampleRate) return undefined;
  const { dataBytes, frameBytes, container, codec, sampleRate, channels, bitDepth } = layout;
  const shape = { container, codec, sampleRate, channels, bitDepth };
  return { shape, dataBytes, seconds: dataBytes / frameBytes / sampleRate };
}

/** Undefined if it contains no sound. */
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
