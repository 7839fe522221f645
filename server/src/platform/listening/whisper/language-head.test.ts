import { needs } from '../../../testing/needs.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { joinSound, noise, openTestModels, readRecordings, speak } from '../../../testing/speech.ts';
import { whisperTinyModel } from '../models/declaration.ts';
import { anyLanguage } from '../spoken-languages.ts';
import type { ControlTokens } from './control-tokens.ts';
import { loadControlTokens } from './control-tokens.ts';
import type { LanguageHead } from './language-head.ts';
import { decideLanguage, loadLanguageHead } from './language-head.ts';

/** Without a setting, among languages of which none is rare. */
const foreignBelow = 0.05;

const never = new AbortController().signal;
let control: ControlTokens;
let head: LanguageHead;
beforeAll(async () => {
  const folder = await openTestModels().provide(whisperTinyModel, never);
  control = await loadControlTokens(folder);
  head = await loadLanguageHead(folder);
});

/** Scores that give these languages these probabilities. */
function scoresFor(probabilities: Readonly<Record<string, number>>): Float32Array {
  const scores = new Float32Array(control.noTimes + 1).fill(-100);
  for (const [language, probability] of Object.entries(probabilities))
    scores[control.languageTokens.get(language)!] = Math.log(probability);
  return scores;
}

test('speech is in another language only if English is very unlikely', () => {
  const unsure = decideLanguage(scoresFor({ en: foreignBelow + 0.01, de: 0.6, nl: 0.34 }), control);
  expect(unsure.language).toBe('en');
  expect(unsure.pExpected).toBeCloseTo(foreignBelow + 0.01, 5);
  const foreign = decideLanguage(scoresFor({ en: foreignBelow - 0.01, de: 0.6, nl: 0.36 }), control);
  expect(foreign.language).toBe('de');
  expect(foreign.pExpected).toBeCloseTo(foreignBelow - 0.01, 5);
  expect(decideLanguage(scoresFor({ en: 0.9, de: 0.1 }), control, anyLanguage, 'de').language).toBe('de');
  expect(decideLanguage(scoresFor({ en: 0.96, de: 0.04 }), control, anyLanguage, 'de').language).toBe('en');
});

test('tokens that are not languages have no influence', () => {
  const scores = scoresFor({ en: 0.02, fr: 0.98 });
  scores[control.transcribe] = 50;
  scores[100] = 50;
  expect(decideLanguage(scores, control)).toMatchObject({ language: 'fr' });
});

test('a cancelled detection stops', async () => {
  await expect(head.detect(noise(1), AbortSignal.abort())).rejects.toThrow();
});

describe('speech', needs('speech'), () => {
  test('read English is English, also short, and also in loud noise', async () => {
    const [first] = readRecordings();
    const { samples } = first!;
    let power = 0;
    for (const sample of samples) power += sample ** 2 / samples.length;
    const hiss = noise(samples.length / 16_000, Math.sqrt((3 * power) / 10));
    const inNoise = samples.map((sample, at) => sample + (hiss[at] ?? 0));
    for (const sound of [samples, samples.subarray(0, 24_000), inNoise]) {
      expect(await head.detect(sound, never)).toMatchObject({ language: 'en' });
    }
  });

  test.each([
    [
      'de',
      'Guten Morgen, das Wetter ist heute sehr schön und wir gehen in den Wald spazieren. Danach trinken wir Kaffee.',
    ],
    [
      'fr',
      'Bonjour, il fait très beau aujourd’hui et nous allons nous promener dans la forêt. Ensuite nous buvons un café.',
    ],
  ])('a voice that speaks %s is not English', async (language, text) => {
    const found = await head.detect(speak(language, text), never);
    expect(found.language).toBe(language);
    expect(found.pExpected).toBeLessThan(foreignBelow);
  });

  test('only the first 30 seconds count', async () => {
    const [first, second] = readRecordings();
    const english = joinSound(first!.samples, second!.samples);
    const long = joinSound(...Array.from({ length: 4 }, () => english)).subarray(0, 30 * 16_000);
    const found = await head.detect(long, never);
    expect(await head.detect(joinSound(long, noise(30, 1)), never)).toEqual(found);
  });
});
