import { expect, test } from 'vitest';
import { noise, silence } from '../../../testing/speech.ts';
import { raiseQuiet, rootMeanSquare } from './loudness.ts';

const levelDb = (samples: Float32Array) => 20 * Math.log10(rootMeanSquare(samples));
const scaledTo = (level: number) => {
  const sound = noise(1);
  const factor = 10 ** ((level - levelDb(sound)) / 20);
  return sound.map((sample) => factor * sample);
};

test('quiet speech is raised to the ordinary level, by at most 40 dB; other speech is not changed', () => {
  expect(levelDb(raiseQuiet(scaledTo(-60)))).toBeCloseTo(-25, 1);
  expect(levelDb(raiseQuiet(scaledTo(-80)))).toBeCloseTo(-40, 1);
  const ordinary = scaledTo(-20);
  expect(raiseQuiet(ordinary)).toBe(ordinary);
});

test('nothing is clipped, and silence stays silence', () => {
  const clicking = scaledTo(-60);
  clicking[100] = 0.5;
  expect(Math.max(...raiseQuiet(clicking))).toBeLessThanOrEqual(1);
  expect(raiseQuiet(silence(1)).every((sample) => sample === 0)).toBe(true);
  expect(raiseQuiet(new Float32Array(0))).toHaveLength(0);
});
