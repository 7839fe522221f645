import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

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

/** What the header says, and what the file has. */
interface WavSizes {
  readonly fileBytes: number;
  /** Of the whole file by its header, without the first 8 bytes. */
  readonly riffBytes: number;
  readonly isRf64: boolean;
  readonly format: Buffer | undefined;
  readonly dataAt: number;
  /** Of the samples by the header; undefined if it does not know. */
  readonly claimedBytes: number | undefined;
  /** From the beginning of the samples to the end of the file. */
  readonly presentBytes: number;
  /** Of the samples in the file. */
  readonly dataBytes: number;
}

/**
 * Reads the header of uncompressed WAV; undefined if it is compressed or invalid. The size of the data is computed from
 * the file, because the header may be wrong: 0 after a power loss of the recorder, 0xffffffff from a streaming
 * recorder, any value in a hostile file.
 */
export async function readWavLayout(path: string): Promise<WavLayout | undefined> {
  const sizes = await readSizes(path);
  return sizes?.format && describe(sizes.format, sizes.dataAt, sizes.dataBytes);
}

/** A sentence for people if a size in the header is wrong, so that the length was taken from the file. */
export async function findWavFault(path: string): Promise<string | undefined> {
  const sizes = await readSizes(path);
  if (!sizes || sizes.dataBytes === 0) return undefined;
  const { claimedBytes, presentBytes, dataBytes, riffBytes, fileBytes, isRf64 } = sizes;
  if (claimedBytes === undefined) {
    return 'The header does not say how long the sound is; the length was taken from the file.';
  }
  if (claimedBytes === 0) return 'The header says 0 bytes of sound; the length was taken from the file.';
  if (claimedBytes > presentBytes) {
    return `The header says ${claimedBytes} bytes of sound, but the file ends after ${dataBytes}; the end of the sound is missing.`;
  }
  const isRiffWrong = riffBytes === 0 || riffBytes > fileBytes + riffTolerance;
  return isRiffWrong && !isRf64
    ? `The header says that the file has ${riffBytes} bytes, but it has ${fileBytes}; the sound is complete.`
    : undefined;
}

/** Some recorders count the first 8 bytes too, or a last byte that they do not write. */
const riffTolerance = 1;

const unknownSize = 0xffffffff;

async function readSizes(path: string): Promise<WavSizes | undefined> {
  const file = await open(path, 'r');
  try {
    return await readChunks(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function readChunks(file: FileHandle, fileBytes: number): Promise<WavSizes | undefined> {
  const riff = await readAt(file, 0, 12);
  if (riff.length < 12) return undefined;
  const whole = { fileBytes, riffBytes: riff.readUInt32LE(4), isRf64: riff.toString('latin1', 0, 4) === 'RF64' };
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
      const dataAt = at + 8;
      const claimedBytes = size === unknownSize ? longDataBytes : size;
      const presentBytes = fileBytes - dataAt;
      const isEmpty = claimedBytes === 0 && (await isOnlyChunks(file, dataAt, fileBytes));
      const dataBytes = isEmpty ? 0 : Math.min(claimedBytes || presentBytes, presentBytes);
      return { ...whole, format, dataAt, claimedBytes, presentBytes, dataBytes };
    }
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Whether the rest of the file is chunks to its end: then there is really no sound before them. */
async function isOnlyChunks(file: FileHandle, from: number, fileBytes: number): Promise<boolean> {
  let at = from;
  for (let count = 0; at < fileBytes; count += 1) {
    const head = await readAt(file, at, 8);
    if (count === mostChunks || head.length < 8 || !/^[\w ]{4}$/.test(head.toString('latin1', 0, 4))) return false;
    const size = head.readUInt32LE(4);
    at += 8 + size + (size % 2);
  }
  return at <= fileBytes + 1;
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
