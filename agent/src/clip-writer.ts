import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

export interface ClipParts {
  readonly folder: string;
  readonly journal: Journal;
  readonly onRecorded: () => void;
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
        clip ??= await openClip(parts, source, Math.max(restMs, lastEndMs));
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
  const name = join(parts.folder, `${startMs}-${source}`);
  const file = await open(name + partSuffix, 'w');
  await file.write(wavHeader(0));
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
    finish: () => complete(parts, file, name),
  };
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
  await recordOwn(parts, name + completeSuffix);
}

async function recordOwn({ journal, onRecorded }: ClipParts, path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  const startMs = Number(/(\d+)-\d+\.wav$/.exec(path)?.[1]);
  const durationMs = Math.round(durationOfBytes(size - wavHeaderBytes));
  await journal.record({ path, bytes: size, startMs, durationMs, modifiedMs: Math.round(mtimeMs), isOwn: true });
  onRecorded();
}

/** Completes what a killed process left. Call it before recording begins. */
export async function recover(parts: ClipParts): Promise<void> {
  for (const name of (await readdir(parts.folder)).sort()) {
    const path = join(parts.folder, name);
    if (/^\d+-\d+\.part$/.test(name)) await complete(parts, await open(path, 'r+'), path.slice(0, -partSuffix.length));
    else if (/^\d+-\d+\.wav$/.test(name) && !parts.journal.entries.has(path)) await recordOwn(parts, path);
  }
}
