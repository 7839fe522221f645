import * as fc from 'fast-check';
import { readTerms, comparable, readWords } from '@earshot/contract/words/public';
import { expect, test } from 'vitest';
import { gramsOf } from './grams.ts';
import { edgeGrams, gramLists } from './rules.ts';

const typed = (phrase: string) => ({
  typed: phrase,
  phrases: [phrase],
  patterns: [],
  variants: [],
  isQuoted: true,
  isWhole: false,
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.constantFrom('the', 'a', 'of', 'Straße', 'don’t', '東京', 'ที่', '𐐔𐐯', 'e-mail', '7'), { maxLength: 12 })
    .map((words) => words.join(' ')),
);

test('every gram of a phrase is a gram of each text that contains the phrase', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (said, from, length) => {
      const compared = comparable(readWords(said));
      const signs = Array.from(compared.trim());
      const start = from % (signs.length + 1);
      const phrase = signs
        .slice(start, start + 1 + (length % 12))
        .join('')
        .trim();
      if (phrase === '') return;
      const grams = new Set(gramsOf(compared));
      expect(gramLists([typed(phrase)])[0]!.every((gram) => grams.has(gram))).toBe(true);
      if (start === 0) expect(edgeGrams(phrase, 'start').every((gram) => grams.has(gram))).toBe(true);
      const last = signs.slice(start).join('').trim();
      if (last !== '') expect(edgeGrams(last, 'end').every((gram) => grams.has(gram))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('every gram of a variant is a gram of each text that contains the variant as whole words', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (said, from, length) => {
      const compared = comparable(readWords(said));
      const words = compared.trim().split(' ');
      const start = from % words.length;
      const variant = words.slice(start, start + 1 + (length % 3)).join(' ');
      if (variant === '') return;
      const grams = new Set(gramsOf(compared));
      const [, ofVariant = []] = gramLists([{ ...typed('x'), variants: [variant] }]);
      expect(ofVariant.length).toBeGreaterThan(0);
      expect(ofVariant.every((gram) => grams.has(gram))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a short variant is not looked for in longer words', () => {
  const [[part], [whole]] = gramLists([{ ...typed('car'), variants: ['car'] }]) as [[number], [number]];
  const [inside, alone] = [' a scar ', ' a car '].map((said) => new Set(gramsOf(said)));
  expect([inside!.has(part), inside!.has(whole), alone!.has(part), alone!.has(whole)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('a text contains every phrase that is read from it', () => {
  fc.assert(
    fc.property(text, (said) => {
      const compared = comparable(readWords(said));
      for (const { phrases } of [...readTerms(said), ...readTerms(`"${said}"`)]) {
        if (!said.includes('"')) for (const phrase of phrases) expect(compared).toContain(phrase);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a long search uses a few grams from all of its parts', () => {
  const phrases = Array.from({ length: 50 }, (_, at) => `word${at}`);
  const [grams = []] = gramLists(phrases.map(typed));
  expect(grams.length).toBeLessThanOrEqual(8);
  expect(grams.length).toBeGreaterThan(6);
  const all = new Set(gramsOf(` ${phrases.join(' ')} `));
  expect(grams.every((gram) => all.has(gram))).toBe(true);
});
