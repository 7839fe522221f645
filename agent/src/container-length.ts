import type { FileHandle } from 'node:fs/promises';
import { possibleDuration } from './possible-times.ts';
import { readWavShape } from './wav.ts';

/*
 * Whether a file has the length that its container promises. WAV and MP4 name their lengths, Ogg marks its last page.
 * FLAC, MP3, AAC, AMR and WebM say nothing that tells a complete file from one that is still written.
 */
export interface ContainerShape {
  readonly durationMs: number | undefined;
  /** Undefined: the container does not tell. */
  readonly isWhole: boolean | undefined;
}

export async function readShape(file: FileHandle, size: number, head: Uint8Array): Promise<ContainerShape> {
  const wav = await readWavShape(file, size);
  if (wav) return { ...wav, durationMs: possibleDuration(wav.durationMs) };
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(12, head.byteLength)).toString('latin1');
  const isWhole =
    start.slice(4, 8) === 'ftyp'
      ? await hasAllBoxes(file, size)
      : start.startsWith('OggS')
        ? await endsWithLastPage(file, size)
        : undefined;
  return { durationMs: undefined, isWhole };
}

const mostBoxes = 1_000;

/** MP4: its boxes fill the file, and the description of the sound is there. In a fragmented file, more may follow. */
async function hasAllBoxes(file: FileHandle, size: number): Promise<boolean> {
  const header = Buffer.alloc(16);
  let isDescribed = false;
  for (let at = 0, boxes = 0; boxes < mostBoxes; boxes++) {
    if (at === size) return isDescribed;
    const { bytesRead } = await file.read(header, 0, 16, at);
    if (bytesRead < 8) return false;
    const name = header.toString('latin1', 4, 8);
    if (name === 'moof') return false;
    if (name === 'moov') isDescribed = true;
    const short = header.readUInt32BE(0);
    const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    at += length;
  }
  return false;
}

/** A page has at most 65,307 bytes. */
const longestPage = 65_307;
const endOfStream = 0x04;

async function endsWithLastPage(file: FileHandle, size: number): Promise<boolean> {
  const start = Math.max(0, size - longestPage);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const at = buffer.lastIndexOf('OggS');
  const segments = buffer[at + 26];
  if (at < 0 || segments === undefined || at + 27 + segments > bytesRead) return false;
  const body = buffer.subarray(at + 27, at + 27 + segments).reduce((sum, length) => sum + length, 0);
  return (buffer[at + 5]! & endOfStream) !== 0 && at + 27 + segments + body === bytesRead;
}
