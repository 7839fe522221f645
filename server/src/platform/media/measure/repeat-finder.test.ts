import { expect, test } from 'vitest';
import { countRepeated } from '../tests/plain-measure.ts';
import { RepeatFinder } from './repeat-finder.ts';

const rate = 2000;

/** The same numbers for a seed. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Noise between blocks of it that were written again, once to three times. */
function makeStuck(seed: number): Float32Array {
  const next = numbers(seed);
  const pick = (most: number) => Math.floor(next() * most);
  const samples: number[] = [];
  while (samples.length < 2 * rate) {
    const length = 100 + pick(300);
    for (let at = 0; at < length; at += 1) samples.push((pick(2000) - 1000) / 1024);
    const block = samples.slice(-(1 + pick(length)));
    for (let times = 1 + pick(3); times > 0; times -= 1) samples.push(...block);
  }
  return Float32Array.from(samples);
}

/** Silence, generated tones, and blocks that were written several times. */
function makeGenerated(seed: number): Float32Array {
  const next = numbers(seed);
  const pick = (most: number) => Math.floor(next() * most);
  const samples: number[] = [];
  while (samples.length < rate) {
    const length = 1 + pick(200);
    const kind = pick(3);
    if (kind === 0) for (let at = 0; at < length; at += 1) samples.push(0);
    else if (kind === 1) for (let at = 0; at < length; at += 1) samples.push(Math.sin((2 * Math.PI * (at % 20)) / 20));
    else samples.push(...samples.slice(-length), ...samples.slice(-length));
  }
  return Float32Array.from(samples);
}

function findRepeated(sound: Float32Array, piece: number): number {
  const finder = new RepeatFinder(rate, 1);
  for (let at = 0; at < sound.length; at += piece) finder.push(sound.slice(at, at + piece));
  return finder.finish();
}

test('repeated blocks of noise are those of the definition, however the sound arrives', () => {
  let found = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const sound = makeStuck(seed);
    const expected = countRepeated([sound], rate);
    for (const piece of [sound.length, 37]) expect([seed, findRepeated(sound, piece)]).toEqual([seed, expected]);
    found += expected > 0 ? 1 : 0;
  }
  expect(found).toBeGreaterThan(8);
});

test('among generated tones and silence a block can be missed, and none is invented', () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const sound = makeGenerated(seed);
    expect(findRepeated(sound, sound.length)).toBeLessThanOrEqual(countRepeated([sound], rate));
  }
});
