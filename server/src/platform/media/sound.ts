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

/** The facts from the beginning of a file. */
export interface SoundShape {
  readonly container: Container;
  /** ffmpeg's name: `pcm_s16le`, `flac`, `mp3`, `opus`, `vorbis`, `aac`; AAC other than LC is `aac_he`. */
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Bits per sample of a lossless codec; 0 for a lossy one. */
  readonly bitDepth: number;
}

export interface SoundFacts extends SoundShape {
  readonly contentType: string;
  /** Of the sound in the file, whatever the header says, without the encoder's delay and padding. */
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
  /** A sentence for people if the header was wrong and the file was read as it is. */
  readonly fault?: string;
}

/** A local file whose format was recognised. */
export interface SoundFile {
  readonly path: string;
  readonly container: Container;
  /** The offset of the first frame, after tags and a split frame. */
  readonly soundAt: number;
}

export type SampleFormat = 's16' | 's32' | 'f32';

export const bytesPerSample: Readonly<Record<SampleFormat, number>> = { s16: 2, s32: 4, f32: 4 };

/** Longer sound is refused: a few kilobytes can contain years of silence. */
export const longestSoundMs = 48 * 3_600_000;

export const isLossless = (codec: string): boolean => codec === 'flac' || codec.startsWith('pcm_');
