import llamaTokenizer from 'llama-tokenizer-js';
import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import { llamaTerms, writeWords } from './llama-text.ts';
import type { MoonshineStep } from './moonshine.ts';
import { endToken } from './moonshine.ts';
import { plantTerms } from './vocabulary-bias.ts';

const encode = (text: string) => llamaTokenizer.encode(text, false, true);

/**
 * A model that hears `texts`, each with its score: after each prefix, the next tokens of all texts that begin with it
 * are possible.
 */
function hears(texts: Readonly<Record<string, number>>, written: readonly number[] = []): MoonshineStep {
  const scores = new Float32Array(32_000).fill(-20);
  for (const [text, score] of Object.entries(texts)) {
    const tokens = [...encode(text), endToken];
    if (!written.every((token, at) => tokens[at] === token)) continue;
    const next = tokens[written.length]!;
    scores[next] = Math.max(scores[next]!, score);
  }
  return {
    scores,
    attention: Float32Array.of(written.length),
    next: (token) => Promise.resolve(hears(texts, [...written, token])),
  };
}

const write = async (step: MoonshineStep, vocabulary: readonly string[] = []) => {
  const { tokens, attention, ...text } = await decodeText(
    step,
    { endToken, mostTokens: 50 },
    plantTerms(vocabulary, llamaTerms),
  );
  expect(attention).toHaveLength(tokens.length + 1);
  expect(attention.map(([place]) => place!)).toEqual([...attention.keys()]);
  const words = writeWords(tokens).map((word) => word.text);
  return { ...text, text: words.join(' '), tokens };
};

test('the likeliest text is written, without and with a vocabulary that is not heard', async () => {
  const step = hears({ 'call the nurse': 0, 'call Keswick': -4 });
  expect(await write(step)).toMatchObject({ text: 'call the nurse', isLoop: false, isBiased: false });
  expect(await write(step, ['Ambleside'])).toMatchObject({ text: 'call the nurse', isBiased: false });
});

test('a term that is nearly as likely is written, with the probability that it has without the vocabulary', async () => {
  const step = hears({ 'call kezik now': 0, 'call Keswick now': -2 });
  const { text, isBiased, tokens } = await write(step, ['Keswick']);
  expect({ text, isBiased }).toEqual({ text: 'call Keswick now', isBiased: true });
  expect(Math.min(...tokens.map(({ logProbability }) => logProbability))).toBeLessThan(-2);
});

test('a term that is far less likely is not written', async () => {
  expect(await write(hears({ 'call kezik': 0, 'call Keswick': -3 }), ['Keswick'])).toMatchObject({
    text: 'call kezik',
    isBiased: false,
  });
});

test('a term that is begun and not completed is taken back', async () => {
  // "Kestrel" begins like "Keswick", and the model hears no more of "Keswick" than this beginning.
  const step = hears({ 'a bird': 0, 'a Kestrel': -1 });
  expect(encode('Kestrel').slice(0, 1)).toEqual(encode('Keswick').slice(0, 1));
  expect(await write(step, ['Keswick'])).toMatchObject({ text: 'a bird', isBiased: false });
});

test('a term is not written as a part of a longer word', async () => {
  const step = hears({ 'a bird': 0, 'a Kestrel': -1 });
  expect(await write(step, ['Kest'])).toMatchObject({ text: 'a bird', isBiased: false });
});

test('terms of several words, in lower case, and many useless terms work', async () => {
  const step = hears({ 'go to scar fell pike today': 0, 'go to Scafell Pike today': -2 });
  const useless = [' ', '...', 'x'.repeat(100), ...Array.from({ length: 400 }, (_, at) => `Unit ${at}`)];
  expect(await write(step, [...useless, '  Scafell \n Pike '])).toMatchObject({ text: 'go to Scafell Pike today' });
  expect(await write(hears({ 'Kezik called': 0, 'Keswick called': -2 }), ['keswick'])).toMatchObject({
    text: 'Keswick called',
  });
  expect(await write(step, useless.slice(0, 3))).toMatchObject({ text: 'go to scar fell pike today' });
});

test('terms after the first 500 are ignored', async () => {
  const step = hears({ 'call kezik now': 0, 'call Keswick now': -2 });
  const many = Array.from({ length: 500 }, (_, at) => `Zz${at}`);
  expect(await write(step, [...many, 'Keswick'])).toMatchObject({ text: 'call kezik now' });
});
