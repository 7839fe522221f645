import { open, readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { readRecordingTime, recordingHeadBytes } from '@earshot/contract/recording-time';
import type { FolderSource } from './config.ts';
import type { Journal, FinishedRecording } from './journal.ts';
import { metadataPath, readRadioCall } from './radio-call.ts';
import { readWavDuration } from './wav.ts';

const soundNames = new Set(['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.opus', '.webm', '.amr']);
const deepest = 10;

/** A file as the last look found it. */
interface Seen {
  readonly bytes: number;
  readonly modifiedMs: number;
}

/**
 * Looks for complete recordings in a folder and the folders in it. Each call is one look: a file is complete if it has not
 * changed since the last look and for the settling time. Returns whether recordings were found.
 */
export function watchFolder(journal: Journal, { path, settleSeconds }: FolderSource): () => Promise<boolean> {
  let seen = new Map<string, Seen>();
  return async () => {
    const now = new Map<string, Seen>();
    let isFound = false;
    for await (const file of findSounds(path, 0)) {
      if (journal.entries.has(file)) continue;
      const { size, mtimeMs } = await stat(file);
      const current: Seen = { bytes: size, modifiedMs: Math.round(mtimeMs) };
      now.set(file, current);
      const before = seen.get(file);
      const isSame = before?.bytes === current.bytes && before.modifiedMs === current.modifiedMs;
      if (!isSame || size === 0 || Date.now() - mtimeMs < settleSeconds * 1_000) continue;
      const recording = await describe(file, current);
      if (!recording) continue;
      await journal.record(recording);
      isFound = true;
    }
    seen = now;
    return isFound;
  };
}

/** Whether a file is in a folder, or in a folder in it; `/recordings-2/a.wav` is not in `/recordings`. */
export const isInside = (folder: string, file: string): boolean => !relative(folder, file).startsWith('..');

async function* findSounds(folder: string, depth: number): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < deepest) yield* findSounds(path, depth + 1);
    else if (entry.isFile() && soundNames.has(extname(entry.name).toLowerCase()) && !isSecondCopy(entry.name, names))
      yield path;
  }
}

/** trunk-recorder may keep a call as WAV and as M4A, with one description. */
const isSecondCopy = (name: string, names: ReadonlySet<string>): boolean =>
  name.endsWith('.wav') && names.has(metadataPath(name)) && names.has(`${name.slice(0, -4)}.m4a`);

/**
 * The start is read as it is for uploads in the console: from the file, its name, or its date. Undefined for a call whose
 * sound is encrypted.
 */
async function describe(path: string, { bytes, modifiedMs }: Seen): Promise<FinishedRecording | undefined> {
  const head = await readHead(path);
  const call = await readRadioCall(path, head);
  if (call?.isEncrypted) return undefined;
  const durationMs = await readWavDuration(path);
  const { start, source } = readRecordingTime({ head, name: path.split('/').at(-1) ?? '', lastModifiedMs: modifiedMs });
  // The date of a file is that of its end.
  const readMs = source === 'file' ? modifiedMs - Math.round(durationMs ?? 0) : (start ?? modifiedMs);
  const startMs = call?.startMs ?? readMs;
  return {
    path,
    bytes,
    modifiedMs,
    startMs: Math.max(0, startMs),
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
    isOwn: false,
    ...(call ? { call: call.facts } : {}),
  };
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(recordingHeadBytes), 0, recordingHeadBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
