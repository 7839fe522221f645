import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { noise, silence } from '../../../testing/speech.ts';
import { placeTokens } from './attention-times.ts';
import { createPowerSpectrum } from './fourier.ts';
import { keepOutputs } from './graph-outputs.ts';
import { bands, computeLogMel, frames } from './log-mel.ts';

test('the fast spectrum equals the direct computation', () => {
  const length = 400;
  const spectrum = createPowerSpectrum(length);
  const frame = noise(1).subarray(0, length);
  const power = spectrum(frame);
  expect(power).toHaveLength(201);
  for (const bin of [0, 1, 7, 99, 200]) {
    let real = 0;
    let imaginary = 0;
    for (const [at, sample] of frame.entries()) {
      real += sample * Math.cos((2 * Math.PI * bin * at) / length);
      imaginary -= sample * Math.sin((2 * Math.PI * bin * at) / length);
    }
    expect(power[bin]).toBeCloseTo(real ** 2 + imaginary ** 2, 3);
  }
});

test('the spectrogram of a tone has its maximum in its band, while the tone lasts', () => {
  const tone = silence(2).map((_, at) => Math.sin((2 * Math.PI * 1_000 * at) / 16_000));
  const picture = computeLogMel(tone);
  expect(picture).toHaveLength(bands * frames);
  const at = (frame: number) => Array.from({ length: bands }, (_, band) => picture[band * frames + frame]!);
  // 1 kHz is 15 of 45.2 mel, a third of the bands.
  expect(at(100).indexOf(Math.max(...at(100)))).toBe(26);
  const darkest = Math.min(...at(100));
  expect(at(1_000).every((level) => level === darkest)).toBe(true);
  const levels = picture.toSorted();
  expect(levels.at(-1)! - levels[0]!).toBeCloseTo(2, 5);
});

test('the times of words follow the attention', () => {
  const looksAt = (step: number) => [
    Float32Array.from({ length: 1_500 }, (_, at) => Math.exp(-((at - step) ** 2) / 50)),
  ];
  const places = placeTokens([10, 50, 90, 140].map(looksAt), 3.2);
  expect(places.map(({ startSeconds }) => startSeconds)).toEqual(
    places.map(({ startSeconds }) => startSeconds).toSorted((a, b) => a - b),
  );
  for (const [token, step] of [10, 50, 90, 140].entries()) {
    expect(places[token]!.startSeconds).toBeLessThanOrEqual(step * 0.02);
    expect(places[token]!.endSeconds).toBeGreaterThanOrEqual(step * 0.02);
  }
  expect(placeTokens([], 1)).toEqual([]);
});

test('outputs are removed from a model, and nothing else', () => {
  const field = (number: number, content: Buffer) =>
    Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
  const varint = (value: number): Buffer =>
    value < 128
      ? Buffer.from([value])
      : Buffer.concat([Buffer.from([(value % 128) + 128]), varint(Math.floor(value / 128))]);
  const model = (weights: Buffer, ...outputs: string[]) =>
    Buffer.concat([
      Buffer.from([8, 9]),
      field(2, Buffer.from('pytorch')),
      field(
        7,
        Buffer.concat([
          field(1, weights),
          ...outputs.map((name) => field(12, field(1, Buffer.from(name)))),
          field(5, weights),
        ]),
      ),
    ]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const weights = Buffer.from(bytes);
      const kept = keepOutputs(model(weights, 'hidden', 'attention.0', 'attention.1'), (name) => name === 'hidden');
      expect(kept.equals(model(weights, 'hidden'))).toBe(true);
    }),
  );
  expect(() => keepOutputs(Buffer.from('not a model'), () => true)).toThrow('not an ONNX file');
});
