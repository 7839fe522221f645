import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '../../../testing/needs.ts';
import { describe, expect, test } from 'vitest';
import { hear } from './measure.ts';
import { engines, media } from './programs.ts';
import type { Sound, WavKind } from './sound-maker.ts';
import { encode, makeFolder, makeNoise, makeTone, writeWav } from './sound-maker.ts';

const start = Date.UTC(2026, 6, 7, 8, 9, 10, 11);

const pieceOf = (path: string, startMs: number, endMs: number) => ({
  startMs,
  endMs,
  open: async () => ({ path, release: async () => undefined }),
});

/** The samples of a WAV file, read without the tested code. */
async function samplesIn(path: string): Promise<Int16Array> {
  const bytes = await readFile(path);
  const data = bytes.subarray(bytes.indexOf('data') + 8);
  return Int16Array.from({ length: data.length / 2 }, (_, index) => data.readInt16LE(index * 2));
}

const integers = ({ channels }: Sound): number[] => [...channels[0]!].map((value) => Math.round(value * 32_768) + 0);

describe.each(engines)('joining by $name', ({ media: joiner, options }) => {
  describe('WAV', options, () => {
    test('places each piece to the sample, so that errors never add up', async () => {
      const folder = await makeFolder();
      const noise = makeNoise(0.05, 44_100);
      const path = await writeWav(join(folder, 'noise.wav'), noise);
      // 61 ms are 2690.1 samples.
      const pieces = Array.from({ length: 10 }, (_, index) =>
        pieceOf(path, start + 61 * index, start + 61 * index + 50),
      );
      const target = join(folder, 'joined.wav');
      const request = { pieces, fromMs: start, toMs: start + 5000, gaps: 'silence', format: 'wav', target } as const;
      expect(await joiner.join(request)).toMatchObject({ durationMs: 599, isReencoded: false, extension: 'wav' });
      const joined = await samplesIn(target);
      const expected = new Int16Array(Math.round(599 * 44.1));
      for (const [index] of pieces.entries())
        expected.set(integers(noise).slice(0, 2205), Math.round(61 * index * 44.1));
      expect(joined).toEqual(expected);
    });

    test('cuts a piece at both ends, and one that is longer than declared', async () => {
      const folder = await makeFolder();
      const noise = makeNoise(1, 8000);
      const path = await writeWav(join(folder, 'noise.wav'), noise);
      const pieces = [pieceOf(path, start, start + 700), pieceOf(path, start + 700, start + 1700)];
      const target = join(folder, 'joined.wav');
      const range = { fromMs: start + 100, toMs: start + 900 };
      await joiner.join({ pieces, ...range, gaps: 'silence', format: 'wav', target });
      const all = integers(noise);
      expect([...(await samplesIn(target))]).toEqual([...all.slice(800, 5600), ...all.slice(0, 1600)]);
    });

    test('has no silence before the first piece or after the last', async () => {
      const folder = await makeFolder();
      const path = await writeWav(join(folder, 'tone.wav'), makeTone([500], 1, 8000));
      const pieces = [pieceOf(path, start, start + 1000), pieceOf(path, start + 1500, start + 2500)];
      const target = join(folder, 'joined.wav');
      const range = { fromMs: start - 60_000, toMs: start + 60_000 };
      const joined = { pieces, ...range, format: 'wav', target } as const;
      expect(await joiner.join({ ...joined, gaps: 'silence' })).toMatchObject({ durationMs: 2500 });
      expect(await joiner.join({ ...joined, gaps: 'close' })).toMatchObject({ durationMs: 2000 });
    });

    test('a range without sound cannot be joined', async () => {
      const path = await writeWav(join(await makeFolder(), 'tone.wav'), makeTone([500], 1, 8000));
      const range = { fromMs: start + 1000, toMs: start + 5000 };
      const pieces = [pieceOf(path, start, start + 1000)];
      await expect(
        joiner.join({ pieces, ...range, gaps: 'close', format: 'wav', target: `${path}.joined` }),
      ).rejects.toMatchObject({ code: 'nothing-to-join', message: 'No clip has sound within the range' });
    });

    test('a clip that is not sound is named, and no file is left', async () => {
      const folder = await makeFolder();
      const good = await writeWav(join(folder, 'tone.wav'), makeTone([500], 1, 8000));
      const bad = join(folder, 'page.wav');
      await writeFile(bad, '<!doctype html><title>404</title>');
      const pieces = [pieceOf(good, start, start + 1000), pieceOf(bad, start + 1000, start + 2000)];
      const request = { pieces, fromMs: start, toMs: start + 2000, gaps: 'silence', format: 'wav' } as const;
      await expect(joiner.join({ ...request, target: join(folder, 'joined') })).rejects.toMatchObject({
        code: 'unreadable',
        message: 'The clip that begins at 2026-07-07T08:09:11.011Z is not readable sound',
      });
    });
  });
});

describe('lossless sound', needs('ffmpeg'), () => {
  test.each<[WavKind, 'wav' | 'flac', number]>([
    ['s16', 'flac', 15],
    ['s24', 'wav', 23],
    ['s24', 'flac', 23],
    ['s32', 'wav', 23],
    ['f32', 'wav', 23],
  ])('of %s keeps every sample in %s', async (kind, format, bits) => {
    const folder = await makeFolder();
    const noise = makeNoise(0.5, 48_000, 2);
    const path = await writeWav(join(folder, 'noise.wav'), noise, kind);
    const target = join(folder, 'joined');
    const pieces = [pieceOf(path, start, start + 500)];
    const result = await media.join({ pieces, fromMs: start, toMs: start + 500, gaps: 'silence', format, target });
    expect(result).toMatchObject({ format, isReencoded: false });
    const heard = await hear(media, target, 48_000, 2);
    expect(heard.length).toBe(48_000);
    for (let index = 0; index < heard.length; index += 997) {
      expect(Math.abs(heard[index]! - noise.channels[index % 2]![index >> 1]!)).toBeLessThanOrEqual(2 ** -bits);
    }
  });

  test('of two formats uses the better of each property', async () => {
    const folder = await makeFolder();
    const stereo = await writeWav(join(folder, 'stereo.wav'), makeTone([500, 600], 1, 16_000));
    const fast = await encode(join(folder, 'fast.flac'), makeTone([500], 1, 48_000), 'flac.flac');
    const pieces = [pieceOf(stereo, start, start + 1000), pieceOf(fast, start + 1000, start + 2000)];
    const target = join(folder, 'joined');
    const range = { fromMs: start, toMs: start + 2000 };
    const result = await media.join({ pieces, ...range, gaps: 'silence', format: 'same', target });
    expect(result).toEqual({
      format: 'flac',
      contentType: 'audio/flac',
      extension: 'flac',
      durationMs: 2000,
      isReencoded: true,
    });
    expect(await media.probe(target)).toMatchObject({ codec: 'flac', sampleRate: 48_000, channels: 2, bitDepth: 16 });
  });

  test('a piece with a given probe is not probed again', async () => {
    const folder = await makeFolder();
    const path = await encode(join(folder, 'clip.m4a'), makeTone([500], 2, 16_000), 'aac.m4a');
    const facts = await media.probe(path);
    let opened = 0;
    const piece = {
      startMs: start,
      endMs: start + 2000,
      facts,
      open: async () => {
        opened += 1;
        return { path, release: async () => undefined };
      },
    };
    const request = { pieces: [piece], fromMs: start, toMs: start + 2000, gaps: 'silence' } as const;
    const target = join(folder, 'joined');
    expect(await media.join({ ...request, format: 'wav', target })).toMatchObject({ durationMs: 2000 });
    expect(await media.join({ ...request, format: 'same', target })).toMatchObject({ format: 'aac', durationMs: 2000 });
    expect(opened).toBe(2);
  });
});
