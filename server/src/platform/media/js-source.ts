import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

import decode from 'audio-decode';

import type { SoundFile } from './sound.ts';
import type { WavLayout } from './wav-header.ts';
import { readWavLayout } from './wav-header.ts';

/** Samples by channel, at the file's own rate. */
export interface SoundChunk {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

type Format = 'wav' | 'mp3' | 'flac' | 'opus' | 'oga' | 'm4a' | 'webm' | 'aac';

const chunkBytes = 64 * 1024;
const mostWholeFileBytes = 16 * 1024 ** 2;

export async function* readSoundChunks(file: SoundFile, codec: string): AsyncGenerator<SoundChunk> {
  const wav = file.container === 'wav' ? await readWavLayout(file.path) : undefined;
  if (wav) yield* readWav(file.path, wav);
  else yield* decode(await openBytes(file), formatOf(file, codec));
}

function formatOf({ container }: SoundFile, codec: string): Format {
  switch (container) {
    case 'ogg':
      return codec === 'opus' ? 'opus' : 'oga';
    case 'mp4':
      return 'm4a';
    case 'adts':
      return 'aac';
    case 'wav':
    case 'flac':
    case 'mp3':
    case 'webm':
      return container;
  }
}

async function openBytes({ path, container, soundAt }: SoundFile): Promise<AsyncIterable<Uint8Array>> {
  if (container === 'mp4' && !(await isTableFirst(path))) return readWhole(path);
  const bytes = createReadStream(path, { start: soundAt, highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  return container === 'flac' ? cutOutsideHeaders(bytes) : bytes;
}

/** The decoder keeps everything in memory until it has read the table of an MP4. */
async function* readWhole(path: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(path);
  if (size > mostWholeFileBytes) throw new Error('the file is too large to be read without ffmpeg');
  yield await readFile(path);
}

async function isTableFirst(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, at);
      const name = buffer.toString('latin1', 4, 8);
      if (bytesRead < 8 || name === 'mdat') return false;
      if (name === 'moov') return true;
      at += Math.max(8, buffer.readUInt32BE(0));
    }
  } finally {
    await file.close();
  }
}

/**
 * audio-decode 3.12 misses a FLAC frame whose header is spread over two chunks, and loses its sound. So chunks are
 * ended where no header can be: after as many bytes as a header has without its first.
 */
async function* cutOutsideHeaders(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const longestHeader = 17;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let end = bytes.length;
    for (let sync = bytes.lastIndexOf(0xff); sync >= 0 && end - sync <= longestHeader;) {
      end = sync;
      sync = sync === 0 ? -1 : bytes.lastIndexOf(0xff, sync - 1);
    }
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield rest;
}

/** Not with audio-decode, which scales positive and negative samples differently and does not support RF64. */
async function* readWav(path: string, layout: WavLayout): AsyncGenerator<SoundChunk> {
  const { dataAt, dataBytes, frameBytes, channels, sampleRate } = layout;
  if (dataBytes === 0) return;
  const stream = createReadStream(path, { start: dataAt, end: dataAt + dataBytes - 1, highWaterMark: chunkBytes });
  const read = sampleReader(layout.codec);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    const frames = Math.floor(bytes.length / frameBytes);
    rest = bytes.subarray(frames * frameBytes);
    const sampleBytes = frameBytes / channels;
    const channelData = Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length: frames }, (_frame, index) => read(bytes, index * frameBytes + channel * sampleBytes)),
    );
    if (frames > 0) yield { channelData, sampleRate };
  }
}

function sampleReader(codec: string): (bytes: Buffer, at: number) => number {
  switch (codec) {
    case 'pcm_u8':
      return (bytes, at) => (bytes[at]! - 128) / 2 ** 7;
    case 'pcm_s16le':
      return (bytes, at) => bytes.readInt16LE(at) / 2 ** 15;
    case 'pcm_s24le':
      return (bytes, at) => bytes.readIntLE(at, 3) / 2 ** 23;
    case 'pcm_s32le':
      return (bytes, at) => bytes.readInt32LE(at) / 2 ** 31;
    case 'pcm_f32le':
      return (bytes, at) => bytes.readFloatLE(at);
    default:
      return (bytes, at) => bytes.readDoubleLE(at);
  }
}
