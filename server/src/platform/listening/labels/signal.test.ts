import { expect, test } from 'vitest';
import { joinSound, noise, silence } from '../../../testing/speech.ts';
import { createLevelDetector } from './level.ts';
import { createToneDetector } from './tone.ts';

function detect(samples: Float32Array) {
  const detectors = [createLevelDetector(), createToneDetector()];
  for (let at = 0; at < samples.length; at += 512)
    for (const detector of detectors) detector.push(samples.slice(at, at + 512));
  return detectors.flatMap((detector) => detector.end(samples.length / 16));
}

const sine = (hertz: number, level: number, seconds = 3) =>
  silence(seconds).map((_, at) => level * Math.sin((2 * Math.PI * hertz * at) / 16_000));
const mix = (one: Float32Array, other: Float32Array) => one.map((sample, at) => sample + other[at]!);
const clip = (samples: Float32Array) => samples.map((sample) => Math.min(1, Math.max(-1, sample)));
const namesOf = (samples: Float32Array) => new Set(detect(samples).map(({ name }) => name));
const amplitude = (decibel: number) => 10 ** (decibel / 20);

/** Noise like wind, with less power at higher frequencies. */
const rumble = (seconds: number) => {
  let last = 0;
  return noise(seconds, 1).map((value) => (last = 0.995 * last + 0.02 * value));
};

test.each([
  ['nothing', silence(3), ['silence']],
  ['noise at -63 dBFS', noise(3, amplitude(-63) * Math.sqrt(3)), ['silence']],
  ['noise at -57 dBFS', noise(3, amplitude(-57) * Math.sqrt(3)), []],
  ['less than a second of silence', joinSound(noise(2), silence(0.9), noise(2)), []],
  ['noise at -12 dBFS', noise(3, amplitude(-12) * Math.sqrt(3)), []],
  ['noise at -8 dBFS', noise(3, amplitude(-8) * Math.sqrt(3)), ['loud']],
  ['a sine at full scale', sine(440, 1), ['loud', 'tone']],
  ['a slow sine at full scale', sine(50, 1), ['loud', 'tone']],
  ['a clipped sine', clip(sine(440, 2)), ['clipping', 'loud', 'tone']],
  ['clipped noise', clip(noise(3, 4)), ['clipping', 'loud']],
  ['a beep', joinSound(silence(0.5), sine(1_000, 0.2, 0.6), silence(0.5)), ['tone']],
  ['a beep that is too short', joinSound(silence(0.5), sine(1_000, 0.2, 0.25), silence(0.5)), []],
  ['a hum with its overtones', mix(sine(50, 0.1), sine(100, 0.05)), ['tone']],
  ['a tone in noise', mix(sine(700, 0.3), noise(3, 0.1)), ['tone']],
  ['a tone that is weaker than the noise', mix(noise(3, 0.3), sine(700, 0.1)), []],
  ['wind', rumble(20), []],
  ['a sweep', silence(5).map((_, at) => 0.3 * Math.sin((at / 500) ** 2)), []],
])('%s', (_, samples, names) => {
  expect([...namesOf(samples)].toSorted()).toEqual(names);
});

test('each label has its time, exact to a tenth of a second', () => {
  const [quiet, beep, ...others] = detect(joinSound(noise(2), silence(3), sine(900, 0.2, 2), noise(2)));
  expect(others).toEqual([]);
  expect(quiet).toMatchObject({ name: 'silence', confidence: 100 });
  expect(beep).toMatchObject({ name: 'tone' });
  for (const [label, startMs, endMs] of [
    [quiet!, 2_000, 5_000],
    [beep!, 5_000, 7_000],
  ] as const) {
    expect(Math.abs(label.startMs - startMs)).toBeLessThan(100);
    expect(Math.abs(label.endMs - endMs)).toBeLessThan(100);
  }
});
