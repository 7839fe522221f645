import { expect, test } from 'vitest';
import { joinSound, noise, silence } from '../../../testing/speech.ts';
import { createFourierTransform } from './fourier-transform.ts';
import { filterNoise } from './noise-filter.ts';

const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length;
const tone = (seconds: number) => silence(seconds).map((_, at) => 0.3 * Math.sin((2 * Math.PI * 1_000 * at) / 16_000));
const add = (a: Float32Array, b: Float32Array) => a.map((value, at) => value + b[at]!);

test('the inverse of a transform is the original, and a sine has its power at its frequency', () => {
  const transform = createFourierTransform(64);
  const original = Float64Array.from({ length: 64 }, (_, at) => Math.sin((2 * Math.PI * 5 * at) / 64));
  const [real, imaginary] = [original.slice(), new Float64Array(64)];
  transform(real, imaginary);
  for (let bin = 0; bin <= 32; bin++)
    expect(Math.hypot(real[bin]!, imaginary[bin]!)).toBeCloseTo(bin === 5 ? 32 : 0, 8);
  transform(imaginary, real);
  for (const [at, value] of original.entries()) expect(real[at]! / 64).toBeCloseTo(value, 10);
});

test('steady noise becomes quieter by far more than a sound in it', () => {
  const bursts = joinSound(silence(1), tone(0.5), silence(1), tone(0.5), silence(1));
  const filtered = filterNoise(add(bursts, noise(4, 0.05)));
  expect(filtered).toHaveLength(bursts.length);
  const inside = (samples: Float32Array) => samples.subarray(1.1 * 16_000, 1.4 * 16_000);
  const outside = (samples: Float32Array) => samples.subarray(0.2 * 16_000, 0.8 * 16_000);
  expect(power(outside(filtered))).toBeLessThan(power(outside(noise(4, 0.05))) / 3);
  expect(power(inside(filtered))).toBeGreaterThan(power(inside(bursts)) * 0.8);
});

test('silence stays silent, and sound of any length keeps its length', () => {
  expect(power(filterNoise(silence(1)))).toBe(0);
  for (const length of [0, 1, 127, 512, 513]) expect(filterNoise(new Float32Array(length))).toHaveLength(length);
});
