import type { SampleFormat, SoundShape } from '../sound.ts';
import { isLossless } from '../sound.ts';

export type JoinFormat = 'wav' | 'flac' | 'mp3' | 'opus';

/** The formats of a result: `same` may also keep AAC and Vorbis. */
export type ResultFormat = JoinFormat | 'aac' | 'vorbis';

/** The common shape that all pieces are converted to before encoding. */
export interface CommonShape {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly sampleFormat: SampleFormat;
  readonly bitDepth: 16 | 24 | 32;
}

const rates = {
  mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  opus: [8000, 12_000, 16_000, 24_000, 48_000],
};

/** The shape, if codec, rate and channels are the same in all pieces; otherwise undefined. */
export function findAgreement(shapes: readonly SoundShape[]): SoundShape | undefined {
  const [first] = shapes;
  const agrees = ({ codec, sampleRate, channels }: SoundShape): boolean =>
    codec === first!.codec && sampleRate === first!.sampleRate && channels === first!.channels;
  return first && shapes.every(agrees) ? first : undefined;
}

/** `same` becomes FLAC if the pieces differ, or if no encoder exists for their codec (HE-AAC, ADPCM). */
export function chooseFormat(asked: JoinFormat | 'same', agreed: SoundShape | undefined): ResultFormat {
  if (asked !== 'same') return asked;
  if (agreed === undefined) return 'flac';
  if (/^pcm_[usf]/.test(agreed.codec)) return 'wav';
  const kept = (['mp3', 'opus', 'aac', 'vorbis'] as const).find((format) => format === agreed.codec);
  return kept ?? 'flac';
}

/** The best quality among the pieces, within the limits of the format. */
export function chooseShape(shapes: readonly SoundShape[], format: ResultFormat): CommonShape {
  const best = Math.max(...shapes.map(({ sampleRate }) => sampleRate));
  const allowed = format === 'mp3' || format === 'opus' ? rates[format] : undefined;
  const sampleRate = allowed ? (allowed.find((rate) => rate >= best) ?? 48_000) : best;
  const channels = shapes.some((shape) => shape.channels > 1) ? 2 : 1;
  const depth = Math.max(...shapes.map(({ bitDepth }) => bitDepth));
  const isFloat = shapes.some(({ codec }) => codec.startsWith('pcm_f'));
  if (format === 'wav' && isFloat) return { sampleRate, channels, sampleFormat: 'f32', bitDepth: 32 };
  if ((format !== 'wav' && format !== 'flac') || depth <= 16) {
    return { sampleRate, channels, sampleFormat: 's16', bitDepth: 16 };
  }
  return { sampleRate, channels, sampleFormat: 's32', bitDepth: depth > 24 && format === 'wav' ? 32 : 24 };
}

/** Whether every sample stays as it was recorded. */
export function keepsSamples(shapes: readonly SoundShape[], format: ResultFormat, common: CommonShape): boolean {
  return (
    (format === 'wav' || format === 'flac') &&
    shapes.every(
      ({ codec, sampleRate, channels, bitDepth }) =>
        isLossless(codec) &&
        sampleRate === common.sampleRate &&
        channels === common.channels &&
        bitDepth <= common.bitDepth &&
        codec.startsWith('pcm_f') === (common.sampleFormat === 'f32'),
    )
  );
}
