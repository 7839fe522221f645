import { expect, test } from 'vitest';
import { chooseLikeliest, isLooping, isRepetitive } from './decoding.ts';
import { writeWords } from './llama-text.ts';

const tokens = (...ids: number[]) => ids.map((id) => ({ id, logProbability: -0.1 }));
const wordsOf = (text: string) => text.split(' ');

test('the likeliest of some scores is chosen, with its probability', () => {
  const { id, logProbability } = chooseLikeliest(Float32Array.of(1, 3, 2));
  expect(id).toBe(1);
  const sum = Math.exp(1) + Math.exp(3) + Math.exp(2);
  expect(logProbability).toBeCloseTo(Math.log(Math.exp(3) / sum), 5);
});

test('a looping text is distinguished from a repeated word', () => {
  expect(isLooping(tokens(5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6, 7))).toBe(true);
  expect(isLooping(tokens(1, 2, 3, 9, 9, 9, 9, 9, 9, 9, 9))).toBe(true);
  expect(isLooping(tokens(1, 2, 3, 9, 9, 9, 9))).toBe(false);
  expect(isLooping(tokens(5, 6, 7, 5, 6, 7, 5, 6, 7, 8))).toBe(false);
  expect(isLooping([])).toBe(false);
});

test('a text with a longer loop is recognised as a loop', () => {
  const circle = 'The first thing you need to do is to make a difference. ';
  expect(isRepetitive(wordsOf(circle.repeat(4).trim()))).toBe(true);
  expect(isRepetitive(wordsOf('no no no no'))).toBe(false);
  const speech =
    'and so my fellow americans ask not what your country can do for you ask what you can do for your country';
  expect(isRepetitive(wordsOf(speech))).toBe(false);
});

test('tokens become words, bytes become letters, control tokens are dropped', () => {
  // ▁l, et, ▁to, the two bytes of é, the start token, the end token, and a token beyond the vocabulary.
  const words = writeWords(tokens(1, 301, 300, 304, 0xc3 + 3, 0xa9 + 3, 32_500, 2));
  expect(words.map(({ text }) => text)).toEqual(['let', 'toé']);
  for (const { logProbability } of words) expect(logProbability).toBeCloseTo(-0.1, 5);
  expect(writeWords([])).toEqual([]);
});
