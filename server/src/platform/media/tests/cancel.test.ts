import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '../../../testing/needs.ts';
import { describe, expect, test } from 'vitest';
import { childrenWith } from './processes.ts';
import { engines, media } from './programs.ts';
import { encode, makeFolder, makeTone, wavBytes, writeWav } from './sound-maker.ts';
import type { ToneClip } from './timeline-truth.ts';
import { piecesOf } from './timeline-truth.ts';

/** The same minute of sound, repeated. */
function repeat(path: string, count: number): ToneClip[] {
  return Array.from({ length: count }, (_, index) => ({
    path,
    frequency: 440,
    startMs: index * 60_000,
    endMs: (index + 1) * 60_000,
    soundMs: 60_000,
  }));
}

async function cancelAt(percent: number, path: string, format: 'wav' | 'mp3' | 'opus' | 'same', joiner = media) {
  const target = join(await makeFolder(), 'joined');
  const controller = new AbortController();
  const { pieces, use } = piecesOf(repeat(path, 12));
  const joining = joiner.join({
    pieces,
    fromMs: 0,
    toMs: Infinity,
    gaps: 'silence',
    format,
    target,
    onProgress: (now) => now >= percent && controller.abort(),
    signal: controller.signal,
  });
  await expect(joining).rejects.toMatchObject({ name: 'AbortError' });
  expect(await readdir(join(target, '..'))).toEqual([]);
  expect(await childrenWith(path)).toEqual([]);
  expect(await childrenWith(target)).toEqual([]);
  expect(use.open).toBe(0);
}

describe('a cancelled join leaves no process and no file', needs('ffmpeg'), () => {
  test.each(['wav', 'mp3', 'opus'] as const)('encoding %s', async (format) => {
    const path = await writeWav(join(await makeFolder(), 'clip.wav'), makeTone([440], 20, 16_000));
    await cancelAt(10, path, format);
  });

  test.each(['cbr.mp3', 'opus.opus', 'aac.m4a'] as const)('copying %s', async (encoding) => {
    const path = await encode(join(await makeFolder(), encoding), makeTone([440], 20, 48_000), encoding);
    await cancelAt(10, path, 'same');
  });
});

test('without ffmpeg', async () => {
  const path = await writeWav(join(await makeFolder(), 'clip.wav'), makeTone([440], 20, 16_000));
  await cancelAt(5, path, 'wav', engines[1]!.media);
});

/** Ten minutes of silence. */
const long = wavBytes({ rate: 16_000, channels: [new Float64Array(600 * 16_000)] });

describe.each(engines)('cancelled by $name', ({ media: reader, options }) => {
  test('peaks and probing end at once', options, async () => {
    const path = join(await makeFolder(), 'long.wav');
    await writeFile(path, long);
    const controller = new AbortController();
    const peaks = reader.computePeaks(path, { pointsPerSecond: 20, signal: controller.signal });
    const facts = reader.probe(path, controller.signal);
    const settled = Promise.allSettled([peaks, facts]);
    setTimeout(() => controller.abort(), 30);
    const [first] = await settled;
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    expect(await childrenWith(path)).toEqual([]);
    await expect(reader.probe(path, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
