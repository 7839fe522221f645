import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SoundBytes } from '@earshot/client/upload';
import type { TimeSource } from '@earshot/contract/recording-time';
import { readRecordingTime, recordingHeadBytes } from '@earshot/contract/recording-time';
import { isSoundFileName } from '@earshot/contract/sound-file-names';
import { fromMachineWall, fromWall } from '@earshot/contract/time-zone';
import { Failure } from './failure.ts';

/** Something in a folder that is not uploaded. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
  /** Whether there may be sound in it. */
  readonly isFault: boolean;
}

export interface FoundFiles {
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** The files that were named, and the sound files in the folders that were named. Links to folders are not followed. */
export async function findSoundFiles(names: readonly string[]): Promise<FoundFiles> {
  const paths: string[] = [];
  const leftOut: LeftOut[] = [];
  const leave = (path: string, reason: string, isFault = false) => leftOut.push({ path, reason, isFault });
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      leave(folder, `cannot be read (${error.code})`, true);
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) await walk(path);
      else if (!isSoundFileName(entry.name)) leave(path, 'not a name of sound');
      else if (await isFileAt(path)) paths.push(path);
      else leave(path, 'no file, or a link that leads to none', true);
    }
  };
  for (const name of names) {
    if ((await stat(name)).isDirectory()) await walk(name);
    else paths.push(name);
  }
  return { paths, leftOut };
}

const isFileAt = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

export interface LocalSound {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly source: TimeSource | 'option';
}

/** Reads when a recording began, as the console does, and its hash. Times without a zone are in `zone`. */
export async function readSoundFile(
  path: string,
  {
    zone,
    startMs,
    signal,
  }: { readonly zone: string | undefined; readonly startMs?: number | undefined; readonly signal: AbortSignal },
): Promise<LocalSound> {
  const { size, mtimeMs } = await stat(path);
  if (size === 0) throw new Failure('The file is empty.');
  const head = await readHead(path);
  const time = readRecordingTime({ head, name: basename(path), lastModifiedMs: Math.floor(mtimeMs) });
  const read = time.start ?? Math.floor(mtimeMs);
  const fromLocal = (wall: number) => (zone === undefined ? fromMachineWall(wall) : fromWall(wall, zone));
  return {
    path,
    size,
    sha256: await hashFile(path, signal),
    startMs: startMs ?? (time.zoneKnown ? read : fromLocal(read)),
    source: startMs === undefined ? time.source : 'option',
  };
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(recordingHeadBytes), 0, recordingHeadBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Reads pieces of a file when they are needed. */
export const soundBytes = ({ path, size }: LocalSound): SoundBytes => ({
  size,
  async slice(start, end) {
    const length = Math.min(end, size) - start;
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
      if (bytesRead < length) throw new Failure('The file became shorter while it was uploaded.');
      return new Blob([buffer]);
    } finally {
      await file.close();
    }
  },
});
