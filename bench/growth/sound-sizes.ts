import { spawnSync } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate } from '@earshot/server/platform/listening/engine';
import { isMissing } from '@earshot/server/testing/needs';
import { joinSound, readRecordings } from '@earshot/server/testing/speech';

const formats: readonly (readonly [name: string, file: string, options: readonly string[]])[] = [
  ['WAV, 16 kHz, 16 bits', 'a.wav', []],
  ['FLAC, 16 kHz, 16 bits', 'a.flac', []],
  ['MP3, 32 kbit/s', 'a.mp3', ['-b:a', '32k']],
  ['Opus, 24 kbit/s', 'a.opus', ['-c:a', 'libopus', '-b:a', '24k']],
];

/** Bytes of a second of speech in each format; undefined without ffmpeg and recordings. */
export async function measureSound(folder: string): Promise<ReadonlyMap<string, number> | undefined> {
  if (isMissing('speech') || isMissing('ffmpeg')) return undefined;
  const samples = joinSound(...readRecordings().map((recording) => recording.samples));
  const seconds = samples.length / sampleRate;
  const raw = join(folder, 'speech.f32');
  await writeFile(raw, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  const sizes = new Map<string, number>();
  for (const [name, file, options] of formats) {
    const path = join(folder, file);
    const input = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '1', '-i', raw];
    const { status, stderr } = spawnSync('ffmpeg', ['-loglevel', 'error', ...input, ...options, path]);
    if (status !== 0) throw new Error(`ffmpeg made no ${name}: ${stderr.toString()}`);
    sizes.set(name, (await stat(path)).size / seconds);
  }
  return sizes;
}
