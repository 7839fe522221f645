import type { RecordedPosition } from '@earshot/contract/guano';
import { guanoPosition } from '@earshot/contract/guano';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

const mostChunks = 1000;
const mostBytes = 65_536;

/** Undefined if the file is no WAV file or names no valid position. */
export async function readGuanoPosition(path: string): Promise<RecordedPosition | undefined> {
  const text = await readGuanoText(path);
  return text === undefined ? undefined : guanoPosition(text);
}

/** Undefined if the file is no WAV file or has no GUANO metadata. */
export async function readGuanoText(path: string): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    return await readGuano(file);
  } finally {
    await file.close();
  }
}

/** The chunk may be before or after the sound. */
async function readGuano(file: FileHandle): Promise<string | undefined> {
  const head = await readAt(file, 0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let at = 12;
  for (let count = 0; count < mostChunks; count += 1) {
    const chunk = await readAt(file, at, 8);
    if (chunk.length < 8) return undefined;
    const size = chunk.readUInt32LE(4);
    if (chunk.toString('latin1', 0, 4) === 'guan') {
      return (await readAt(file, at + 8, Math.min(size, mostBytes))).toString('utf8');
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
