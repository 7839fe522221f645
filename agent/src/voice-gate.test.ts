import { expect, test } from 'vitest';
import { createPitchGate, frameSamples, hangOverSeconds } from './voice-gate.ts';
import { captureRate } from './wav.ts';

const framesPerSecond = captureRate / frameSamples;

/** A sample at a time in seconds, from -1 to 1. */
type Sound = (second: number, at: number) => number;

/** The times at which the gate opens and closes, in seconds. */
function findChanges(sound: Sound, seconds: number): number[] {
  const gate = createPitchGate();
  const changes: number[] = [];
  for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
    const samples = new Int16Array(frameSamples);
    for (let index = 0; index < frameSamples; index++) {
      const at = frame * frameSamples + index;
      samples[index] = Math.round(32_767 * Math.max(-1, Math.min(1, sound(at / captureRate, at))));
    }
    if (gate.push(samples) !== changes.length % 2 > 0) changes.push(frame / framesPerSecond);
  }
  return changes;
}

/** A sound with harmonics, whose pitch follows a curve. */
function makeTone(pitchAt: (second: number) => number, harmonics: readonly number[] = [1, 2, 3, 4, 5]): Sound {
  let phase = 0;
  return (second) => {
    phase += (2 * Math.PI * pitchAt(second)) / captureRate;
    return harmonics.reduce((sum, each) => sum + Math.sin(each * phase) / each, 0) / 4;
  };
}

const voicePitch = (second: number) => 130 + 25 * Math.sin(5 * second);
const voice = () => makeTone(voicePitch);
const during =
  (sound: Sound, isHeard: (second: number) => boolean, level = 0.5): Sound =>
  (second, at) => {
    const sample = sound(second, at);
    return isHeard(second) ? level * sample : 0;
  };

/** The same numbers each time, from -1 to 1. */
function makeNoise(): Sound {
  let random = 1;
  return () => {
    random = (random * 48_271) % 2_147_483_647;
    return 2 * (random / 2_147_483_647) - 1;
  };
}

test('the gate opens within a fifth of a second of speech, and closes after the hang-over', () => {
  const [opened, closed, ...more] = findChanges(
    during(voice(), (second) => second >= 2 && second < 4),
    10,
  );
  expect(opened).toBeGreaterThan(2.05);
  expect(opened).toBeLessThan(2.25);
  expect(closed).toBeGreaterThan(4 + hangOverSeconds);
  expect(closed).toBeLessThan(4 + hangOverSeconds + 0.55);
  expect(more).toEqual([]);
});

test('a pause shorter than the hang-over does not close the gate', () => {
  const pauses = (second: number) => second % 2 < 0.5;
  expect(findChanges(during(voice(), pauses), 10)).toHaveLength(1);
});

test('one word is enough; a click of a voice is not, however often it comes', () => {
  expect(
    findChanges(
      during(voice(), (second) => second >= 2 && second < 2.3),
      3,
    ),
  ).toHaveLength(1);
  expect(
    findChanges(
      during(voice(), (second) => second % 1 < 0.08),
      20,
    ),
  ).toEqual([]);
});

const inSyllables = (second: number) => second % 0.3 < 0.2;

test.each([90, 330])('a voice of %i Hz is heard while it speaks', (hertz) => {
  const sound = makeTone((second) => hertz * (1 + 0.15 * Math.sin(5 * second)));
  expect(findChanges(during(sound, inSyllables), 6)).toHaveLength(1);
});

test.each([
  ['a rumble', 40],
  ['a hiss above what is recorded of a voice', 7_850],
])('%s, however its pitch moves, is no voice', (_name, hertz) => {
  const sound = makeTone((second) => hertz + 15 * Math.sin(5 * second), [1]);
  expect(
    findChanges(
      during(sound, () => true),
      5,
    ),
  ).toEqual([]);
});

/** By 70 dB in a tenth of a second. */
const perSecond = 80;

test.each<[string, number, (second: number) => number]>([
  ['falls', 220, (second) => Math.exp(-perSecond * (second % 0.25))],
  ['falls', 330, (second) => Math.exp(-perSecond * (second % 0.25))],
  ['rises', 85, (second) => Math.exp(-perSecond * (0.25 - (second % 0.25)))],
])('a voice whose loudness %s quickly is heard, at %i Hz', (_name, hertz, loudnessAt) => {
  const tone = makeTone((second) => hertz * (1 + 0.15 * Math.sin(5 * second)));
  expect(findChanges((second, at) => 0.8 * loudnessAt(second) * tone(second, at), 3)).toHaveLength(1);
});

test('a voice in noise is heard if it is louder than the noise', () => {
  const noisy = (level: number): Sound => {
    const [speech, noise] = [during(voice(), (second) => second >= 4 && second < 8, level), makeNoise()];
    return (second, at) => speech(second, at) + 0.02 * noise(second, at);
  };
  expect(findChanges(noisy(0.5), 9)).toHaveLength(1);
  expect(findChanges(noisy(0.005), 9)).toEqual([]);
});

test('a quiet voice in a quiet room is heard, one at the limit of the numbers is not', () => {
  expect(
    findChanges(
      during(voice(), () => true, 0.01),
      5,
    ),
  ).toHaveLength(1);
  expect(
    findChanges(
      during(voice(), () => true, 0.000_4),
      5,
    ),
  ).toEqual([]);
});

test('a voice is heard again after a loud hour: the floor is that of the last seconds', () => {
  const noise = makeNoise();
  const speech = voice();
  const loudThenQuiet: Sound = (second, at) => {
    if (second < 10) return 0.5 * noise(second, at);
    const said = speech(second, at);
    return second > 15 && second < 17 ? 0.02 * said : 0;
  };
  const [opened] = findChanges(loudThenQuiet, 18);
  expect(opened).toBeGreaterThan(15);
  expect(opened).toBeLessThan(15.5);
});

test('a sound that never pauses becomes the floor after three seconds', () => {
  const [opened, closed, ...more] = findChanges(
    during(voice(), () => true),
    9,
  );
  expect(opened).toBeLessThan(0.3);
  expect(closed).toBeGreaterThan(2.5 + hangOverSeconds);
  expect(closed).toBeLessThan(4 + hangOverSeconds);
  expect(more).toEqual([]);
});

test('gusts of wind are no voice', () => {
  const noise = makeNoise();
  let level = 0;
  const wind: Sound = (second, at) => (level += 0.1 * (noise(second, at) - level));
  expect(
    findChanges(
      during(wind, (second) => second % 2 < 0.7, 1),
      20,
    ),
  ).toEqual([]);
});

test('tones in turn, each held for a second, are no voice', () => {
  expect(
    findChanges(
      during(
        makeTone((second) => (second % 2 < 1 ? 150 : 210)),
        () => true,
      ),
      12,
    ),
  ).toEqual([]);
});

test.each([110, 150, 233, 310])('a voice that speaks near %i Hz is heard, a tone of it is not', (hertz) => {
  const speak = (move: number) =>
    during(
      makeTone((second) => hertz * (1 + move * Math.sin(9 * second))),
      inSyllables,
    );
  expect(findChanges(speak(0.06), 5)).toHaveLength(1);
  expect(findChanges(speak(0), 5)).toEqual([]);
});

test('pitches that jump from moment to moment are no voice', () => {
  const pitches = [100, 330, 140, 250, 390, 120, 290, 180];
  const jumping = makeTone((second) => pitches[Math.floor(second * framesPerSecond) % pitches.length]!);
  expect(
    findChanges(
      during(jumping, () => true),
      6,
    ),
  ).toEqual([]);
});
