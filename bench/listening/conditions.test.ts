import { noise, silence } from '@earshot/server/testing/speech';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import type { ConditionName } from './conditions.ts';
import { conditionOf, conditions } from './conditions.ts';
import { convolve, rootMeanSquare } from './signal.ts';

/** Two seconds: silence, then a tone. */
const tone = (hertz: number) =>
  silence(2).map((_, at) => (at < 16_000 ? 0 : 0.3 * Math.sin((2 * Math.PI * hertz * at) / 16_000)));
const apply = (name: ConditionName, samples: Float32Array) => conditionOf(name).apply(samples, 'clip', []);
const levelDb = (samples: Float32Array, from: number, to: number) =>
  20 * Math.log10(rootMeanSquare(samples.subarray(from, to)) + 1e-9);

test('the same clip gives the same sound every time, another clip other noise', () => {
  const samples = tone(1_000);
  for (const name of ['telephone', 'radio20', 'radio10', 'reverberant'] as const) {
    expect(apply(name, samples)).toEqual(apply(name, samples));
  }
  expect(conditions.radio10.apply(samples, 'one')).not.toEqual(conditions.radio10.apply(samples, 'other'));
});

test('telephone and radio pass the band of the voice only', () => {
  const kept = levelDb(apply('telephone', tone(1_000)), 20_000, 30_000);
  expect(kept).toBeGreaterThan(-16);
  for (const hertz of [60, 6_000]) {
    expect(levelDb(apply('telephone', tone(hertz)), 20_000, 30_000)).toBeLessThan(kept - 20);
  }
});

test.each([
  ['radio20', 20],
  ['radio10', 10],
] as const)('%s: the voice is %i dB louder than the noise', (name, ratioDb) => {
  const sound = apply(name, tone(1_000));
  const difference = levelDb(sound, 20_000, 30_000) - levelDb(sound, 2_000, 14_000);
  // The loud part also contains the noise.
  expect(difference).toBeGreaterThan(ratioDb - 0.5);
  expect(difference).toBeLessThan(ratioDb + 1);
});

test('in the room, sound decays by 60 dB in 0.6 s', () => {
  const click = silence(2);
  click[100] = 1;
  const sound = apply('reverberant', click);
  const at = (seconds: number) => levelDb(sound, 100 + seconds * 16_000, 100 + seconds * 16_000 + 1_600);
  expect(at(0.1) - at(0.4)).toBeGreaterThan(27);
  expect(at(0.1) - at(0.4)).toBeLessThan(33);
  expect(sound[100]).toBeCloseTo(0.6, 2);
});

test('the fast convolution equals the plain sum', () => {
  const [sound, response] = [noise(0.01), noise(0.005, 1)];
  const plain = sound.map((_, at) =>
    response.reduce((sum, value, back) => sum + value * (at >= back ? sound[at - back]! : 0), 0),
  );
  const fast = convolve(sound, response);
  for (const [at, value] of plain.entries()) expect(fast[at]).toBeCloseTo(value, 4);
});

test('a microphone that is shouted at: clipped, with a squelch tail that is louder than the voice', () => {
  const sound = apply('squelch', tone(1_000));
  expect(sound.length).toBe(38_400);
  expect(levelDb(sound, 33_000, 38_000)).toBeGreaterThan(levelDb(sound, 20_000, 30_000));
  expect(levelDb(sound, 20_000, 30_000) - levelDb(sound, 2_000, 14_000)).toBeGreaterThan(18);
});

test('two talkers are 8 dB below the voice, whatever their levels are', () => {
  const voice = tone(1_000).subarray(16_000);
  const others = [
    tone(700).subarray(16_000, 24_000),
    tone(1_300)
      .subarray(16_000)
      .map((value) => value / 50),
  ];
  const sound = conditions.talkers.apply(voice, 'clip', others);
  const babble = sound.map((value, at) => value - voice[at]!);
  expect(levelDb(voice, 0, 16_000) - levelDb(babble, 0, 16_000)).toBeCloseTo(8, 0);
});

test('low bit rates do not shift the sound in time', needs('ffmpeg'), () => {
  for (const name of ['mp3', 'opus'] as const) {
    const sound = apply(name, tone(1_000));
    const start = sound.findIndex((value) => Math.abs(value) > 0.1);
    expect(Math.abs(start - 16_000)).toBeLessThan(480);
  }
});

test('codecs of radio and telephone keep a voice, with a delay of at most 45 ms', needs('ffmpeg'), () => {
  const harmonics = [1, 2, 3, 4, 5, 6, 7, 8];
  const voice = silence(2).map((_, at) =>
    at < 16_000
      ? 0
      : harmonics.reduce((sum, one) => sum + (0.1 / one) * Math.sin((2 * Math.PI * 125 * one * at) / 16_000), 0),
  );
  for (const name of ['gsm', 'codec3200', 'codec2400', 'codec1300'] as const) {
    const sound = apply(name, voice);
    const start = sound.findIndex((value) => Math.abs(value) > 0.05);
    expect(start).toBeGreaterThanOrEqual(16_000);
    expect(start - 16_000).toBeLessThan(720);
  }
});
