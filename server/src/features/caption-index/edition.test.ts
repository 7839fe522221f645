import { comparable, readWords } from '@earshot/contract/words/public';
import { expect, test } from 'vitest';
import { currentEdition } from './edition.ts';
import { gramsOf } from './grams.ts';
import { keysOfWord, listedWords } from './words.ts';

/*
 * The texts that this edition stores. When an expected value here changes, raise `currentEdition` with it: stored captions
 * are then indexed again, and until then they are found by the words of their own edition.
 */
const stored: readonly (readonly [text: string, comparable: string])[] = [
  ['Don’t, café-bar!', ' dont cafe bar '],
  ['Straße ﬁne ２ ½', ' strasse fine 2 1 2 '],
  ['東京タワー', ' 東 京 タ ワ ー '],
  ['がｶﾞか\u3099 ﾊﾟ', ' が ガ が パ '],
  ['co\u00adop zero\u200bwidth مـرحبا', ' coop zerowidth مرحبا '],
  ['İstanbul ısır ΟΔΌς', ' istanbul isir οδοσ '],
  ['한국어 שָׁלוֹם हिन्दी', ' 한국어 שלום हिन्दी '],
  ['ภาษา 👍 x² a_b 3.5', ' ภ า ษ า x2 a b 3 5 '],
  ['♪ … !', ''],
];

test('edition 4 stores these texts', () => {
  expect(currentEdition).toBe(4);
  expect(stored.map(([text]) => [text, comparable(readWords(text))])).toEqual(stored);
});

test('edition 4 stores these grams', () => {
  const grams = [...new Set(gramsOf(' the 東 gate '))];
  expect(grams.reduce((sum, gram) => (Math.imul(sum, 31) + gram) | 0, grams.length)).toBe(1_745_696_125);
});

test('edition 4 lists these words', () => {
  expect(listedWords(comparable(readWords('The Café, the 2 gates: Straße 東京')))).toEqual([
    'cafe',
    'gates',
    'strasse',
    'the',
  ]);
  expect(keysOfWord('a')).toEqual([]);
  const keys = keysOfWord('gates');
  expect(keys.reduce((sum, key) => (Math.imul(sum, 31) + key) | 0, keys.length)).toBe(-1_317_585_246);
});
