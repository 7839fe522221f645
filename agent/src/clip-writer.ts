import type { FileHandle } from 'node:fs/promises';
import { access, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hashBytes } from './hash-recording.ts';
import type { Journal } from './journal.ts';
import { saveFolder } from './save-folder.ts';
import { bytesOfSeconds, durationOfBytes, finishWav, wavHeader, wavHeaderBytes } from './wav.ts';

/*
 * Writes sound into files of this agent. A file that is being written is named `<start>-<source>.part`, with its start in
 * milliseconds; a complete one `<start>-<source>.wav`. After a crash, incomplete files are completed with the sound that
 * they have, and complete files that the journal lacks are added to it.
 */

const partSuffix = '.part';
const completeSuffix = '.wav';
const leastBytes = bytesOfSeconds(0.1);
/** If the sound stopped for longer than this, the next sound is a new recording. */
const mostGapMs = 2_000;
/** If the sound is this much earlier than the end of the last, the clock was set back. */
const setBackMs = 3_600_000;

export interface ClipParts {
  readonly folder: string;
  readonly journal: Journal;
  readonly onRecorded: () => void;
  /** Names of files that could not be completed or recorded, because of the disk; see `recover`. */
  readonly left: Set<string>;
}

export interface ClipWriter {
  /** Adds sound that began at a time, in milliseconds since 1970. */
  add(sound: Buffer, startMs: number): Promise<void>;
  /** Completes the current recording. */
  close(): Promise<void>;
}

export function createClipWriter(parts: ClipParts, source: number, clipSeconds: number): ClipWriter {
  const mostBytes = bytesOfSeconds(clipSeconds);
  let clip: OpenClip | undefined;
  /** Sound may arrive faster than it is played; two recordings never overlap. */
  let lastEndMs = 0;
  const close = async () => {
    const closing = clip;
    clip = undefined;
    lastEndMs = Math.ceil(closing?.endMs ?? lastEndMs);
    await closing?.finish();
  };
  return {
    async add(sound, startMs) {
      if (clip && startMs - clip.endMs > mostGapMs) await close();
      for (let rest = sound; rest.length > 0;) {
        const restMs = Math.round(startMs + durationOfBytes(sound.length - rest.length));
        const isSetBack = lastEndMs - restMs > setBackMs;
        clip ??= await openClip(parts, source, isSetBack ? restMs : Math.max(restMs, lastEndMs));
        const taken = rest.subarray(0, mostBytes - clip.bytes);
        await clip.add(taken);
        rest = rest.subarray(taken.length);
        if (clip.bytes >= mostBytes) await close();
      }
    },
    close,
  };
}

interface OpenClip {
  /** Of sound, without the header. */
  readonly bytes: number;
  readonly endMs: number;
  add(sound: Buffer): Promise<void>;
  finish(): Promise<void>;
}

async function openClip(parts: ClipParts, source: number, startMs: number): Promise<OpenClip> {
  const { name, file } = await openPart(parts.folder, source, startMs);
  try {
    await file.write(wavHeader(0));
  } catch (error) {
    await file.close();
    return leave(parts, name, error);
  }
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    get endMs() {
      return startMs + durationOfBytes(bytes);
    },
    async add(sound) {
      await file.appendFile(sound);
      bytes += sound.length;
    },
    finish: () => complete(parts, file, name).catch((error: unknown) => leave(parts, name, error)),
  };
}

/** A device whose clock begins at the same time after each start must not overwrite its former recordings. */
async function openPart(folder: string, source: number, startMs: number): Promise<{ name: string; file: FileHandle }> {
  for (let ms = startMs; ; ms += 1) {
    const name = join(folder, `${ms}-${source}`);
    if (await isThere(name + completeSuffix)) continue;
    try {
      return { name, file: await open(name + partSuffix, 'wx') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function leave({ left }: ClipParts, name: string, error: unknown): never {
  for (const suffix of [partSuffix, completeSuffix]) left.add(basename(name) + suffix);
  throw error;
}

async function complete(parts: ClipParts, file: FileHandle, name: string): Promise<void> {
  let soundBytes: number;
  try {
    soundBytes = await finishWav(file);
  } finally {
    await file.close();
  }
  if (soundBytes < leastBytes) return rm(name + partSuffix);
  await rename(name + partSuffix, name + completeSuffix);
  await saveFolder(dirname(name));
  // A journal that cannot be written does not end the recording: the file is complete and is recorded later.
  await recordOwn(parts, name + completeSuffix).catch(() => parts.left.add(basename(name) + completeSuffix));
}

async function recordOwn({ journal, onRecorded }: ClipParts, path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size, mtimeMs } = await file.stat();
    const startMs = Number(/(\d+)-\d+\.wav$/.exec(path)?.[1]);
    const durationMs = Math.round(durationOfBytes(size - wavHeaderBytes));
    const content = {
      bytes: size,
      modifiedMs: Math.round(mtimeMs),
      sha256: await hashBytes(file, 0, size),
      durationMs,
    };
    await journal.record({ path, startMs, isOwn: true, ...content });
  } finally {
    await file.close();
  }
  onRecorded();
}

/** A removed recording may have had the same name, on a device whose clock begins at the same time. */
const isKnown = (journal: Journal, path: string): boolean => {
  const entry = journal.findByPath(path);
  return entry !== undefined && entry.removedBecause === undefined;
};

/** The files that a killed process left. Call it before recording begins. */
export async function findLeft(folder: string): Promise<Set<string>> {
  return new Set((await readdir(folder)).filter((name) => /^\d+-\d+\.(part|wav)$/.test(name)).sort());
}

/** Completes and records what is left. One that fails does not stop the others; call it again then. */
export async function recover(parts: ClipParts): Promise<void> {
  const failures: unknown[] = [];
  for (const name of parts.left) {
    const path = join(parts.folder, name);
    try {
      if (name.endsWith(partSuffix)) await complete(parts, await open(path, 'r+'), path.slice(0, -partSuffix.length));
      else if (!isKnown(parts.journal, path)) await recordOwn(parts, path);
      parts.left.delete(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') parts.left.delete(name);
      else failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
