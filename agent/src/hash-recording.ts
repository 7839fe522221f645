import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { diskPath } from './file-name.ts';

/** The SHA-256 of a file, as hexadecimal digits. */
export async function hashRecording(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(diskPath(path), { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const atOnce = 65_536;

/** The SHA-256 of some bytes of a file; undefined if it has fewer. `buffer` saves memory where many files are read. */
export async function hashBytes(
  file: FileHandle,
  start: number,
  end: number,
  buffer: Buffer = Buffer.allocUnsafe(Math.max(1, Math.min(atOnce, end - start))),
  signal?: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  for (let at = start; at < end;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) return undefined;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

/** The header of a file that grows is written again; the bytes after it stay. */
const headerBytes = 128;
const tailBytes = 4_096;

/** Of the last bytes that the file had with this size; undefined if it was too short to tell. */
export const hashTail = async (file: FileHandle, size: number, buffer?: Buffer): Promise<string | undefined> =>
  size <= headerBytes ? undefined : hashBytes(file, Math.max(headerBytes, size - tailBytes), size, buffer);
