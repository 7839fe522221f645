import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { guessSounds } from './letter-sounds.ts';
import { speakWord } from './spoken-words.ts';

test.each([
  ['Hello,', 'hello'],
  ['don’t', "don't"],
  ['dogs’', 'dogs'],
  ['cold-hearted', 'cold hearted'],
  ['Mr.', 'mister'],
  ['St.', 'saint'],
  ['Gruffudd’s', "gruffudd's"],
  ['café', 'cafe'],
  ['7', 'seven'],
  ['42%', 'forty two percent'],
  ['$5', 'five dollars'],
  ['1813', 'eighteen thirteen'],
  ['1813,', 'eighteen thirteen'],
  ['1813,000', 'eighteen thirteen zero zero zero'],
  ['1905,1906', 'nineteen oh five nineteen oh six'],
  ['1905', 'nineteen oh five'],
  ['1900', 'nineteen hundred'],
  ['2,005', 'two thousand five'],
  ['1,250,000', 'one million two hundred fifty thousand'],
  ['3.14', 'three point one four'],
  ['21st', 'twenty first'],
  ['30th', 'thirtieth'],
  ['007', 'zero zero seven'],
  ['01632960961', 'zero one six three two nine six zero nine six one'],
  ['—', ''],
  ['…', ''],
  ['Привет', ''],
])('%s is spoken as “%s”', (written, said) => {
  expect(speakWord(written).join(' ')).toBe(said);
});

test('any text becomes words of letters, and each word has phones', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      for (const word of speakWord(text)) {
        expect(word).toMatch(/^[a-z][a-z']*$/);
        expect(guessSounds(word)).toMatch(/^[A-Z]{1,2}( [A-Z]{1,2})*$/);
      }
    }),
  );
});
