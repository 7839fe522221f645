import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engines } from './programs.ts';
import type { Sound } from './sound-maker.ts';
import { makeFolder, makeTone, writeWav } from './sound-maker.ts';

/** Sound with a sequence of levels, each for half a second. */
function makeSteps(levels: readonly number[], rate: number): Sound {
  const steps = levels.map((level) => makeTone([1000], 0.5, rate, level).channels[0]!);
  return { rate, channels: [Float64Array.from(steps.flatMap((step) => [...step]))] };
}

describe.each(engines)('peaks by $name', ({ media, options }) => {
  describe('show', options, () => {
    test('show the level at each time, positive and negative', async () => {
      const path = join(await makeFolder(), 'steps.wav');
      const levels = [0, 0.25, 1, 0.5, 0];
      await writeWav(path, makeSteps(levels, 16_000));
      const { pointsPerSecond, durationMs, data } = await media.computePeaks(path, { pointsPerSecond: 20 });
      expect({ pointsPerSecond, durationMs, bytes: data.length }).toEqual({
        pointsPerSecond: 20,
        durationMs: 2500,
        bytes: 2 * 50,
      });
      const points = new Int8Array(data.buffer);
      for (const [step, level] of levels.entries()) {
        for (let point = step * 10; point < (step + 1) * 10; point += 1) {
          expect(Math.abs(points[point * 2]! + level * 127)).toBeLessThanOrEqual(1);
          expect(Math.abs(points[point * 2 + 1]! - level * 127)).toBeLessThanOrEqual(1);
        }
      }
    });

    test('include sound on one of two channels, or with opposite sign on both', async () => {
      const folder = await makeFolder();
      const [tone] = makeTone([500], 1, 8000, 0.5).channels;
      const silent = new Float64Array(8000);
      const opposite = tone!.map((sample) => -sample);
      for (const channels of [
        [tone!, silent],
        [tone!, opposite],
      ]) {
        const path = await writeWav(join(folder, 'two.wav'), { rate: 8000, channels });
        const points = new Int8Array((await media.computePeaks(path, { pointsPerSecond: 10 })).data.buffer);
        for (let point = 0; point < 10; point += 1) {
          expect(points[point * 2 + 1]).toBeGreaterThan(60);
          expect(points[point * 2]).toBeLessThan(-60);
        }
      }
    });

    test('work for rates without a whole number of samples per point', async () => {
      const path = join(await makeFolder(), 'odd.wav');
      // Loud in the 31st second only: accumulated rounding errors would move it.
      const sound = { rate: 11_025, channels: [new Float64Array(11_025 * 40)] };
      sound.channels[0]!.fill(0.9, 11_025 * 30, 11_025 * 31);
      await writeWav(path, sound);
      const points = new Int8Array((await media.computePeaks(path, { pointsPerSecond: 40 })).data.buffer);
      const loud = Array.from({ length: 1600 }, (_, point) => points[point * 2 + 1]! > 100);
      expect([loud.indexOf(true), loud.lastIndexOf(true)]).toEqual([1200, 1239]);
    });

    test('include the end of sound that does not fill the last point', async () => {
      const path = await writeWav(join(await makeFolder(), 'short.wav'), makeTone([400], 0.13, 8000, 0.5));
      const { data, durationMs } = await media.computePeaks(path, { pointsPerSecond: 10 });
      expect([data.length, durationMs]).toEqual([4, 130]);
      expect(new Int8Array(data.buffer)[3]).toBeGreaterThan(60);
    });
  });
});
