import { type FileHandle, open } from 'node:fs/promises';

import type { SoundShape } from './sound.ts';

/** The position and format of the samples in a WAV file. */
export interface WavLayout extends SoundShape {
  readonly dataAt: number;
  /** The bytes of whole samples that are in the file, for all channels. */
  readonly dataBytes: number;
  readonly frameBytes: number;
}

const tags = { pcm: 1, float: 3, extensible: 0xfffe };
const mostChunks = 1000;

/**
 * Reads the header of uncompressed WAV; undefined if it is compressed or invalid. The size of the data is computed from
 * the file, because the header may be wrong: 0 after a power loss of the recorder, 0xffffffff from a streaming
 * recorder, any value in a hostile file.
 */
export async function readWavLayout(path: string): Promise<WavLayout | undefined> {
  const file = await open(path, 'r');
  try {
    return await readChunks(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function readChunks(file: FileHandle, fileBytes: number): Promise<WavLayout | undefined> {
  let format: Buffer | undefined;
  let longDataBytes: number | undefined;
  let at = 12;
  for (let count = 0; count < mostChunks; count += 1) {
    const head = await readAt(file, at, 8);
    if (head.length < 8) return undefined;
    const name = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    if (name === 'fmt ') format = await readAt(file, at + 8, Math.min(size, 40));
    // RF64 stores sizes above 4 GB in a separate chunk.
    if (name === 'ds64') longDataBytes = readLongSize(await readAt(file, at + 8, 16));
    if (name === 'data') {
      const claimed = size === 0xffffffff ? (longDataBytes ?? 0) : size;
      const present = fileBytes - at - 8;
      return format && describe(format, at + 8, claimed === 0 ? present : Math.min(claimed, present));
    }
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2);
  }
  return undefined;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const readLongSize = (sizes: Buffer): number => (sizes.length < 16 ? 0 : Number(sizes.readBigUInt64LE(8)));

function describe(format: Buffer, dataAt: number, dataBytes: number): WavLayout | undefined {
  if (format.length < 16) return undefined;
  const tag = format.readUInt16LE(0);
  const isExtensible = tag === tags.extensible && format.length >= 26;
  const codec = nameCodec(isExtensible ? format.readUInt16LE(24) : tag, format.readUInt16LE(14));
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const frameBytes = format.readUInt16LE(12);
  const bitDepth = format.readUInt16LE(14);
  const isSane = channels > 0 && sampleRate > 0 && frameBytes === (channels * bitDepth) / 8;
  if (codec === undefined || !isSane) return undefined;
  const wholeBytes = dataBytes - (dataBytes % frameBytes);
  return { container: 'wav', codec, sampleRate, channels, bitDepth, dataAt, dataBytes: wholeBytes, frameBytes };
}

function nameCodec(tag: number, bits: number): string | undefined {
  if (tag === tags.float) return { 32: 'pcm_f32le', 64: 'pcm_f64le' }[bits];
  if (tag !== tags.pcm) return undefined;
  return { 8: 'pcm_u8', 16: 'pcm_s16le', 24: 'pcm_s24le', 32: 'pcm_s32le' }[bits];
}
