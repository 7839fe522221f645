import { open } from 'node:fs/promises';

import { readAdtsHeader } from './adts-frame.ts';
import { readMp3Header } from './mp3-frame.ts';
import type { Container, SoundFile } from './sound.ts';

const headBytes = 64 * 1024;
const framesToTrust = 3;

/**
 * Recognises sound by its first bytes alone, whatever the name of the file. Other files that ffmpeg would open, such as
 * playlists that refer to other files, never reach it.
 */
export async function sniffSound(path: string): Promise<SoundFile | undefined> {
  const sound = await sniffBytes((position) => readHead(path, position));
  return sound && { path, ...sound };
}

/** The same for bytes that are not a local file; `readAt` returns up to 64 KiB from a position. */
export async function sniffBytes(
  readAt: (position: number, length: number) => Promise<Buffer>,
): Promise<Omit<SoundFile, 'path'> | undefined> {
  const head = await readAt(0, headBytes);
  const tagBytes = id3Bytes(head);
  const container = tagBytes === 0 ? sniffMagic(head) : undefined;
  if (container) return { container, soundAt: 0 };
  const frames = sniffFrames(tagBytes === 0 ? head : await readAt(tagBytes, headBytes));
  return frames && { container: frames.container, soundAt: tagBytes + frames.at };
}

/** The part of a file that is needed to recognise it. */
export async function readHead(path: string, position = 0, length = headBytes): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** ID3 tags precede MP3 and sometimes AAC, and can contain pictures. */
function id3Bytes(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [...head.subarray(6, 10)].reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0);
  const footer = (head[5]! & 0x10) === 0 ? 0 : 10;
  return 10 + size + footer;
}

function sniffMagic(head: Buffer): Container | undefined {
  const text = (start: number, end: number): string => head.toString('latin1', start, end);
  if (['RIFF', 'RF64'].includes(text(0, 4)) && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === 'OggS') return 'ogg';
  if (text(4, 8) === 'ftyp') return 'mp4';
  if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3 && text(0, 64).includes('webm')) return 'webm';
  return undefined;
}

/** MP3 and ADTS have no signature at the beginning, only frames. */
function sniffFrames(head: Buffer): { container: Container; at: number } | undefined {
  if (isFrameRun(head, 0, (at) => readAdtsHeader(head, at)?.frameBytes)) return { container: 'adts', at: 0 };
  const frameBytes = (at: number): number | undefined => readMp3Header(head, at)?.frameBytes;
  // A recorder that splits a running stream may split a frame, so the first frame can begin a little later.
  for (let at = head.indexOf(0xff); at !== -1; at = head.indexOf(0xff, at + 1)) {
    if (isFrameRun(head, at, frameBytes)) return { container: 'mp3', at };
  }
  return undefined;
}

/** One header may be a coincidence, but not several that follow each other. A short file may contain fewer. */
function isFrameRun(head: Buffer, start: number, frameBytes: (at: number) => number | undefined): boolean {
  let at = start;
  for (let count = 0; count < framesToTrust; count += 1) {
    const bytes = frameBytes(at);
    if (bytes === undefined) return count > 0 && start === 0 && at >= head.length;
    at += bytes;
  }
  return true;
}
