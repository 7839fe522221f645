import { expect, test } from 'vitest';
import { sampleRate } from '../engine.ts';
import type { PreparedWindow } from './detector-input.ts';
import { prepareWindows } from './detector-input.ts';
import { windowSamples } from './voice-detector.ts';

const tone = (seconds: number, hertz: number, amplitude: number) =>
  Float32Array.from(
    { length: Math.floor((seconds * sampleRate) / windowSamples) * windowSamples },
    (_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / sampleRate),
  );

const add = (one: Float32Array, other: Float32Array) => one.map((sample, at) => sample + other[at]!);

const join = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));

async function* windowsOf(samples: Float32Array) {
  for (let at = 0; at < samples.length; at += windowSamples) yield samples.subarray(at, at + windowSamples);
}

async function prepare(samples: Float32Array): Promise<PreparedWindow[]> {
  const prepared: PreparedWindow[] = [];
  for await (const window of prepareWindows(windowsOf(samples))) prepared.push(window);
  return prepared;
}

const levelDb = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** Of the last second of the sound. */
const endLevelDb = (windows: readonly PreparedWindow[]) =>
  levelDb(join(...windows.slice(-30).map(({ prepared }) => prepared)));

test('every window is returned once, unchanged, in order, however short the clip is', async () => {
  for (const seconds of [0, 0.04, 0.5, 3]) {
    const sound = tone(seconds, 440, 0.1);
    expect(join(...(await prepare(sound)).map(({ window }) => window))).toEqual(sound);
  }
});

test('rumble is removed, also if it is much louder than the voice', async () => {
  const voice = tone(3, 300, 0.1);
  const rumbling = add(voice, tone(3, 10, 0.8));
  expect(endLevelDb(await prepare(rumbling))).toBeCloseTo(levelDb(voice), 0);
});

test('sound of ordinary loudness keeps its level, quiet sound is raised to one level', async () => {
  expect(endLevelDb(await prepare(tone(3, 300, 0.3)))).toBeCloseTo(levelDb(tone(3, 300, 0.3)), 0);
  expect(endLevelDb(await prepare(tone(3, 300, 0.001)))).toBeCloseTo(-25, 0);
});

test('silence stays silent, and values that are no numbers do no harm', async () => {
  const broken = join(tone(1, 300, 0.3), new Float32Array(windowSamples).fill(NaN), tone(1, 300, 0.3));
  expect(endLevelDb(await prepare(broken))).toBeCloseTo(levelDb(tone(1, 300, 0.3)), 0);
  expect(endLevelDb(await prepare(new Float32Array(20 * windowSamples)))).toBe(-Infinity);
});

test('the quiet second before a loud sound is not raised, nor are short pauses', async () => {
  const [quiet, loud] = [tone(0.5, 300, 0.001), tone(1, 300, 0.3)];
  const windows = await prepare(join(quiet, loud, quiet));
  expect(levelDb(windows[2]!.prepared)).toBeLessThan(levelDb(quiet) + 1);
  expect(levelDb(windows.at(-1)!.prepared)).toBeLessThan(levelDb(quiet) + 6);
});
