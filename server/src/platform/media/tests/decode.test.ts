import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissing, needs } from '../../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hear, levelOf, loudest } from './measure.ts';
import { childrenWith } from './processes.ts';
import { engines } from './programs.ts';
import type { Encoding, WavKind } from './sound-maker.ts';
import { encode, encodeAll, encodings, makeFolder, makeNoise, makeTone, writeWav } from './sound-maker.ts';

/** The same tone in every format, for both engines. */
let tones: string;
beforeAll(async () => {
  tones = await mkdtemp(join(tmpdir(), 'earshot-media-'));
  const sound = makeTone([440], 3, 48_000, 0.5);
  const all = Object.keys(encodings) as Encoding[];
  if (!isMissing('ffmpeg')) await encodeAll(all.map((encoding) => ({ path: join(tones, encoding), sound, encoding })));
});
afterAll(() => rm(tones, { recursive: true, force: true }));

describe.each(engines)('decoding by $name', ({ media, options }) => {
  describe('of WAV', options, () => {
    test.each<[WavKind, number]>([
      ['u8', 7],
      ['s16', 15],
      ['s24', 23],
      ['s32', 23],
      ['f32', 24],
    ])('%s is decoded to the same samples', async (kind, bits) => {
      const sound = makeNoise(0.5, 8000, 2);
      const path = await writeWav(join(await makeFolder(), 'noise.wav'), sound, kind);
      const heard = await hear(media, path, 8000, 2);
      expect(heard.length).toBe(8000);
      const worst = heard.reduce(
        (most, value, index) => Math.max(most, Math.abs(value - sound.channels[index % 2]![index >> 1]!)),
        0,
      );
      expect(worst).toBeLessThanOrEqual(2 ** -bits);
    });

    test('a range is exact to the sample', async () => {
      const sound = makeNoise(2, 16_000);
      const path = await writeWav(join(await makeFolder(), 'noise.wav'), sound);
      const part: number[] = [];
      const range = { sampleRate: 16_000, channels: 1, fromMs: 501, toMs: 1503 } as const;
      for await (const chunk of media.decode(path, range)) part.push(...chunk);
      expect(part.length).toBe(16_032);
      expect(part[0]).toBeCloseTo(sound.channels[0]![8016]!, 4);
      expect(part.at(-1)).toBeCloseTo(sound.channels[0]![24_047]!, 4);
    });

    test('one channel becomes two equal ones of the same level', async () => {
      const path = await writeWav(join(await makeFolder(), 'tone.wav'), makeTone([1000], 0.5, 8000, 0.5));
      const heard = await hear(media, path, 8000, 2);
      expect(heard.length).toBe(8000);
      const left = heard.filter((_, index) => index % 2 === 0);
      expect(left).toEqual(heard.filter((_, index) => index % 2 === 1));
      expect(levelOf(left, 8000, 1000)).toBeCloseTo(0.5, 3);
    });

    test('resampling keeps the pitch, without aliasing', async () => {
      const folder = await makeFolder();
      const low = await writeWav(join(folder, 'low.wav'), makeTone([1000], 1, 44_100, 0.5));
      const lower = await hear(media, low, 16_000);
      expect(lower.length).toBe(16_000);
      expect(levelOf(lower.subarray(1000, 15_000), 16_000, 1000)).toBeCloseTo(0.5, 2);
      // Aliasing would turn 11 kHz into 5 kHz.
      const high = await writeWav(join(folder, 'high.wav'), makeTone([11_000], 1, 44_100, 0.5));
      expect(loudest((await hear(media, high, 16_000)).subarray(1000, 15_000))).toBeLessThan(0.005);
    });
  });

  test.each(Object.keys(encodings) as Encoding[])('%s has the same sound', needs('ffmpeg'), async (encoding) => {
    const heard = await hear(media, join(tones, encoding), 16_000);
    expect(Math.abs(heard.length - 48_000)).toBeLessThanOrEqual(16 * 50);
    expect(levelOf(heard.subarray(4000, 44_000), 16_000, 440)).toBeCloseTo(0.5, 1);
    expect(levelOf(heard.subarray(4000, 44_000), 16_000, 700)).toBeLessThan(0.01);
  });

  test('no frame of FLAC is lost at the boundaries of chunks', needs('ffmpeg'), async () => {
    const path = join(await makeFolder(), 'small-frames.flac');
    await encode(path, makeNoise(10, 48_000), 'flac.flac', ['-frame_size', '256']);
    expect(await media.computePeaks(path, { pointsPerSecond: 1 })).toMatchObject({ durationMs: 10_000 });
  });

  test('leaving the loop early kills the program', options, async () => {
    const path = await writeWav(join(await makeFolder(), 'long.wav'), makeTone([440], 120, 16_000));
    const chunks = media.decode(path, { sampleRate: 48_000, channels: 2 });
    await chunks.next();
    expect(await childrenWith(path)).toHaveLength(1);
    await chunks.return(undefined);
    expect(await childrenWith(path)).toEqual([]);
  });
});
