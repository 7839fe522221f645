import { expect, test } from 'vitest';
import { createRandom, planStarts } from './day.ts';
import { passThroughRadio } from './radio-channel.ts';
import { radioStories, recorderStories, wordsToSearch } from './stories.ts';
import { changePitch, readSpokenWav, writeSpokenWav } from './wav.ts';

const dayMs = 86_400_000;

test('a day has recordings in its order, many in the morning and few in the night', () => {
  const midnight = new Date(2026, 5, 1).getTime();
  const days = Array.from({ length: 20 }, (_, seed) => planStarts(midnight, midnight + dayMs, createRandom(seed)));
  const hours = days.flat().map((startMs) => new Date(startMs).getHours());
  const between = (first: number, end: number) => hours.filter((hour) => hour >= first && hour < end).length;
  expect(days[0]).toEqual(days[0]?.toSorted((a, b) => a - b));
  expect(days.flat().length / days.length).toBeGreaterThan(20);
  expect(between(7, 10)).toBeGreaterThan(5 * between(0, 3));
  expect(Math.min(...days.flat())).toBeGreaterThanOrEqual(midnight);
  expect(Math.max(...days.flat())).toBeLessThan(midnight + dayMs);
});

test('a radio channel keeps the length, adds noise and a burst, and passes the voice', () => {
  const rate = 16_000;
  const tone = (hertz: number) =>
    Float32Array.from({ length: rate }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hertz * at) / rate));
  const loudness = (values: Float32Array) =>
    Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  const pass = (hertz: number, noiseDb: number) =>
    passThroughRadio({ rate, values: tone(hertz) }, noiseDb, createRandom(1)).values;
  expect(pass(1_000, 60)).toHaveLength(rate * 1.15);
  expect(loudness(pass(1_000, 60).slice(0, rate))).toBeGreaterThan(4 * loudness(pass(80, 60).slice(0, rate)));
  expect(loudness(pass(80, 6).slice(0, rate))).toBeGreaterThan(2 * loudness(pass(80, 60).slice(0, rate)));
});

test('sound is written and read without a difference; a higher pitch is shorter', () => {
  const sound = { rate: 16_000, values: Float32Array.from({ length: 1_000 }, (_, at) => Math.sin(at / 9) / 2) };
  const read = readSpokenWav(writeSpokenWav(sound));
  expect(read.rate).toBe(16_000);
  expect(Math.max(...read.values.map((value, at) => Math.abs(value - sound.values[at]!)))).toBeLessThan(1e-4);
  expect(changePitch(sound, 1.25).values).toHaveLength(800);
});

test('every word to search for is said, and every device has a serial of its own', () => {
  const sentences = [
    ...recorderStories.flatMap((story) => story.sentences),
    ...radioStories.flatMap((story) => story.talkgroups.flatMap((talkgroup) => talkgroup.sentences)),
  ];
  for (const word of wordsToSearch) {
    expect(sentences.some((text) => text.toLowerCase().includes(word.replaceAll('"', '')))).toBe(true);
  }
  expect(recorderStories.length + radioStories.length).toBe(12);
  expect(new Set(recorderStories.map(({ serial }) => serial)).size).toBe(recorderStories.length);
});
