import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CaptureSource } from './config.ts';
import type { Journal } from './journal.ts';
import { saveFolder } from './save-folder.ts';
import { bytesOfSeconds, durationOfBytes, finishWav, captureRate, wavHeader, wavHeaderBytes } from './wav.ts';

/*
 * Records sound with ffmpeg into files of this agent. A file that is being written is named `<start>-<source>.part`, with
 * its start in milliseconds; a complete one `<start>-<source>.wav`. After a crash, incomplete files are completed with the
 * sound that they have, and complete files that the journal lacks are added to it.
 */

const partSuffix = '.part';
const completeSuffix = '.wav';
const leastBytes = bytesOfSeconds(0.1);
/** If the sound stopped for longer than this, the next sound is a new recording. */
const mostGapMs = 2_000;

export interface CaptureParts {
  readonly folder: string;
  readonly journal: Journal;
  readonly onRecorded: () => void;
}

/** Records until the signal aborts, then completes the current recording. Throws if ffmpeg ends. */
export async function capture(
  parts: CaptureParts,
  { input, clipSeconds }: CaptureSource,
  source: number,
  signal: AbortSignal,
): Promise<void> {
  const output = ['-vn', '-ac', '1', '-ar', String(captureRate), '-f', 's16le', '-'];
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', ...input, ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = watchExit(child);
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let clip: OpenClip | undefined;
  const close = async () => {
    const closing = clip;
    clip = undefined;
    await closing?.finish();
  };
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const arrivedMs = Date.now() - durationOfBytes(chunk.length);
      if (clip && arrivedMs - clip.endMs > mostGapMs) await close();
      for (let rest = chunk; rest.length > 0;) {
        clip ??= await openClip(parts, source, Math.round(arrivedMs + durationOfBytes(chunk.length - rest.length)));
        const taken = rest.subarray(0, bytesOfSeconds(clipSeconds) - clip.bytes);
        await clip.add(taken);
        rest = rest.subarray(taken.length);
        if (clip.bytes >= bytesOfSeconds(clipSeconds)) await close();
      }
    }
    const reason = await exit;
    if (!signal.aborted) throw new Error(`ffmpeg ended: ${reason}`);
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    await close();
  }
}

function watchExit(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-1_000)));
  return once(child, 'close').then(
    ([code]) => errors.trim().split('\n').at(-1) || `exit code ${String(code)}`,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 'it is not installed' : error.message),
  );
}

interface OpenClip {
  /** Of sound, without the header. */
  readonly bytes: number;
  readonly endMs: number;
  add(sound: Buffer): Promise<void>;
  finish(): Promise<void>;
}

async function openClip(parts: CaptureParts, source: number, startMs: number): Promise<OpenClip> {
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

async function complete(parts: CaptureParts, file: FileHandle, name: string): Promise<void> {
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

async function recordOwn({ journal, onRecorded }: CaptureParts, path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  const startMs = Number(/(\d+)-\d+\.wav$/.exec(path)?.[1]);
  const durationMs = Math.round(durationOfBytes(size - wavHeaderBytes));
  await journal.record({ path, bytes: size, startMs, durationMs, modifiedMs: Math.round(mtimeMs), isOwn: true });
  onRecorded();
}

/** Completes what a killed process left. Call it before recording begins. */
export async function recover(parts: CaptureParts): Promise<void> {
  for (const name of (await readdir(parts.folder)).sort()) {
    const path = join(parts.folder, name);
    if (/^\d+-\d+\.part$/.test(name)) await complete(parts, await open(path, 'r+'), path.slice(0, -partSuffix.length));
    else if (/^\d+-\d+\.wav$/.test(name) && !parts.journal.entries.has(path)) await recordOwn(parts, path);
  }
}
