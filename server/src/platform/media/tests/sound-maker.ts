import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { ffmpegPath } from './programs.ts';

/** Samples by channel, between -1 and 1. */
export interface Sound {
  readonly rate: number;
  readonly channels: readonly Float64Array[];
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-media-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** One sine per given frequency, each on its own channel. */
export function makeTone(frequencies: readonly number[], seconds: number, rate: number, level = 0.5): Sound {
  const count = Math.round(seconds * rate);
  const channels = frequencies.map((frequency) => {
    const samples = new Float64Array(count);
    for (let index = 0; index < count; index += 1) {
      samples[index] = level * Math.sin((2 * Math.PI * frequency * index) / rate);
    }
    return samples;
  });
  return { rate, channels };
}

/** Deterministic noise, in which every sample is different. */
export function makeNoise(seconds: number, rate: number, channelCount = 1): Sound {
  let state = 12_345;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.8;
  };
  const count = Math.round(seconds * rate);
  return { rate, channels: Array.from({ length: channelCount }, () => Float64Array.from({ length: count }, next)) };
}

export type WavKind = 'u8' | 's16' | 's24' | 's32' | 'f32';

const writers: Readonly<Record<WavKind, { bytes: number; write: (to: Buffer, value: number, at: number) => void }>> = {
  u8: { bytes: 1, write: (to, value, at) => to.writeUInt8(scale(value, 7) + 128, at) },
  s16: { bytes: 2, write: (to, value, at) => to.writeInt16LE(scale(value, 15), at) },
  s24: { bytes: 3, write: (to, value, at) => to.writeIntLE(scale(value, 23), at, 3) },
  s32: { bytes: 4, write: (to, value, at) => to.writeInt32LE(scale(value, 31), at) },
  f32: { bytes: 4, write: (to, value, at) => to.writeFloatLE(value, at) },
};

const scale = (value: number, bits: number): number => Math.min(2 ** bits - 1, Math.round(value * 2 ** bits));

/** The bytes of a WAV file, written without the tested code. */
export function wavBytes({ rate, channels }: Sound, kind: WavKind = 's16'): Buffer {
  const { bytes, write } = writers[kind];
  const frameBytes = bytes * channels.length;
  const count = channels[0]!.length;
  const data = Buffer.alloc(count * frameBytes);
  for (const [channel, samples] of channels.entries()) {
    for (let frame = 0; frame < count; frame += 1) {
      write(data, samples[frame]!, frame * frameBytes + channel * bytes);
    }
  }
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(kind === 'f32' ? 3 : 1, 20);
  header.writeUInt16LE(channels.length, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bytes * 8, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

export async function writeWav(path: string, sound: Sound, kind?: WavKind): Promise<string> {
  await writeFile(path, wavBytes(sound, kind));
  return path;
}

/** The encoder of each kind of file. */
export const encodings = {
  'flac.flac': ['-c:a', 'flac'],
  'cbr.mp3': ['-c:a', 'libmp3lame', '-b:a', '64k'],
  'vbr.mp3': ['-c:a', 'libmp3lame', '-q:a', '5'],
  'tagged.mp3': ['-c:a', 'libmp3lame', '-q:a', '5', '-metadata', 'title=Dawn', '-id3v2_version', '3'],
  'untagged.mp3': ['-c:a', 'libmp3lame', '-q:a', '5', '-write_xing', '0', '-id3v2_version', '0'],
  'opus.opus': ['-c:a', 'libopus', '-b:a', '48k'],
  'vorbis.ogg': ['-c:a', 'libvorbis', '-q:a', '4'],
  'aac.m4a': ['-c:a', 'aac', '-b:a', '64k'],
  'aac.aac': ['-c:a', 'aac', '-b:a', '64k'],
  'opus.webm': ['-c:a', 'libopus', '-b:a', '48k'],
} as const;

export type Encoding = keyof typeof encodings;

export interface EncodedFile {
  readonly path: string;
  readonly sound: Sound;
  readonly encoding: Encoding;
  readonly more?: readonly string[];
}

/** Writes each sound in its format, with another program. One process for all: each start takes 0.1 s of a processor. */
export async function encodeAll(files: readonly EncodedFile[]): Promise<void> {
  const sources = await Promise.all(files.map(({ path, sound }) => writeWav(`${path}.source.wav`, sound)));
  const inputs = sources.flatMap((source) => ['-i', source]);
  const outputs = files.flatMap(({ path, encoding, more = [] }, index) => [
    '-map',
    `${index}:a`,
    ...encodings[encoding],
    ...more,
    path,
  ]);
  await promisify(execFile)(ffmpegPath, ['-loglevel', 'error', '-y', ...inputs, ...outputs]);
  await Promise.all(sources.map((source) => rm(source)));
}

export async function encode(
  path: string,
  sound: Sound,
  encoding: Encoding,
  more?: readonly string[],
): Promise<string> {
  await encodeAll([{ path, sound, encoding, ...(more ? { more } : {}) }]);
  return path;
}
