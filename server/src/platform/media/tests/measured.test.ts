import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing, needs } from '../../../testing/needs.ts';
import { engines } from './programs.ts';
import type { Encoding, Sound, WavKind } from './sound-maker.ts';
import { encodeAll, makeFolder, makeNoise, makeTone, writeWav } from './sound-maker.ts';
import type { Media } from '../media.ts';
import type { MeasuredSound } from '../measure/measured-sound.ts';
import { measurePlainly, ofChannels, withBlock } from './plain-measure.ts';

const rate = 4000;
const silence = (seconds: number, value = 0): Sound =>
  ofChannels(rate, [Float64Array.from({ length: seconds * rate }, () => value)]);

/** Ten times full scale, limited: most samples are clipped. */
const clipped: Sound = ofChannels(rate, [
  makeTone([300], 1, rate, 10).channels[0]!.map((value) => Math.max(-1, Math.min(1, value))),
]);
const noise = makeNoise(1, rate);

/** Noise of which 50 ms are written three times, as by a recorder whose buffer is stuck. */
const stuck = withBlock(noise, 2000, 200, 3);

const sounds: Readonly<Record<string, Sound>> = {
  // At −20 dBFS: its peak is at a tenth of full scale.
  sine: makeTone([500], 1, rate, 0.1),
  clipped,
  silence: silence(1),
  'a constant value': silence(1, 0.25),
  noise,
  'noise on two channels': makeNoise(0.4, 11_025, 2),
  'channels of opposite sign': ofChannels(rate, [noise.channels[0]!, noise.channels[0]!.map((value) => -value)]),
  stuck,
};

const measure = async (media: Media, path: string): Promise<MeasuredSound | undefined> => {
  let measured: MeasuredSound | undefined;
  const onMeasured = (facts: MeasuredSound) => void (measured = facts);
  for await (const _ of media.decode(path, { sampleRate: 16_000, channels: 1, onMeasured }));
  return measured;
};

let encoded: string;
const encodings: readonly Encoding[] = ['flac.flac', 'cbr.mp3', 'opus.opus'];
const loud = makeTone([440, 660], 2, 48_000, 0.5);
beforeAll(async () => {
  encoded = await mkdtemp(join(tmpdir(), 'earshot-measure-'));
  if (!isMissing('ffmpeg'))
    await encodeAll(encodings.map((encoding) => ({ path: join(encoded, encoding), sound: loud, encoding })));
});
afterAll(() => rm(encoded, { recursive: true, force: true }));

describe.each(engines)('measuring while decoding by $name', ({ media, options }) => {
  describe('agrees with a plain computation', options, () => {
    const kinds: readonly WavKind[] = ['u8', 's24', 's32', 'f32'];
    const cases = [
      ...Object.keys(sounds).map((name) => [name, 's16'] as const),
      ...kinds.map((kind) => ['noise on two channels', kind] as const),
    ];
    test.each(cases)('on %s in %s', async (name, kind) => {
      const sound = sounds[name]!;
      const path = await writeWav(join(await makeFolder(), 'sound.wav'), sound, kind);
      expect(await measure(media, path)).toEqual(measurePlainly(sound, kind));
    });
  });

  test('of a sine at −20 dBFS, its peak is −20 and its level −23', options, async () => {
    const path = await writeWav(join(await makeFolder(), 'sine.wav'), sounds['sine']!, 's24');
    expect(await measure(media, path)).toMatchObject({ peakDb: -20, levelDb: -23.01, clippedPercent: 0 });
  });

  test('a block that was written three times repeats twice', options, async () => {
    const path = await writeWav(join(await makeFolder(), 'stuck.wav'), stuck);
    expect(await measure(media, path)).toMatchObject({ repeatedMs: 100, isDigitalSilence: false });
  });

  test.each(encodings)('of %s, level and peak are near those of its source', needs('ffmpeg'), async (encoding) => {
    const { levelDb, peakDb, soundMs, repeatedMs } = (await measure(media, join(encoded, encoding)))!;
    expect(Math.abs(levelDb - -9.03)).toBeLessThan(0.6);
    expect(Math.abs(peakDb - -6.02)).toBeLessThan(1);
    expect(Math.abs(soundMs - 2000)).toBeLessThan(60);
    expect(repeatedMs === undefined).toBe(encoding !== 'flac.flac');
  });

  test('samples that are no numbers are silent or clipped, and a file without sound fails', options, async () => {
    const path = join(await makeFolder(), 'broken.wav');
    const values = Float64Array.from({ length: rate }, (_, at) => (at === 10 ? NaN : at === 20 ? Infinity : 0.01));
    await writeWav(path, ofChannels(rate, [values]), 'f32');
    const measured = await measure(media, path);
    expect(measured).toMatchObject({ soundMs: 1000, peakDb: 0, clippedPercent: 0.025, isDigitalSilence: false });
    expect(Number.isFinite(measured?.levelDb)).toBe(true);
    await writeFile(path, 'no sound');
    await expect(measure(media, path)).rejects.toThrow();
  });
});
