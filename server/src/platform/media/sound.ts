export type Container = 'wav' | 'flac' | 'mp3' | 'ogg' | 'mp4' | 'webm' | 'adts';

export const contentTypes: Readonly<Record<Container, string>> = {
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
  adts: 'audio/aac',
};

/** What the beginning of a file tells, without reading the rest. */
export interface SoundShape {
  readonly container: Container;
  /** By ffmpeg's names: `pcm_s16le`, `flac`, `mp3`, `opus`, `vorbis`, `aac`; AAC other than LC is `aac_he`. */
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Bits of a sample, where the codec keeps samples as they are; 0 where it does not. */
  readonly bitDepth: number;
}

export interface SoundFacts extends SoundShape {
  readonly contentType: string;
  /** Of the sound that is really there, whatever a header claims, without the encoder's delay and padding. */
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
}

/** A local file whose beginning has been recognised. */
export interface SoundFile {
  readonly path: string;
  readonly container: Container;
  /** Where its first frame begins: behind tags and the rest of a cut frame. */
  readonly soundAt: number;
}

export type SampleFormat = 's16' | 's32' | 'f32';

export const bytesPerSample: Readonly<Record<SampleFormat, number>> = { s16: 2, s32: 4, f32: 4 };

/** Longer sound is refused: a few kilobytes can claim years of silence. */
export const longestSoundMs = 48 * 3_600_000;

export const isLossless = (codec: string): boolean => codec === 'flac' || codec.startsWith('pcm_');
