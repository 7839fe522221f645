import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markChanges } from './vocabulary-changes.ts';

const words = (text: string) =>
  text.split(' ').flatMap((word) => (word === '' ? [] : [{ text: word, logProbability: 0 }]));
const mark = (written: string, unbiased: string) =>
  markChanges(words(written), words(unbiased)).map(({ text, heardAs }) =>
    heardAs === undefined ? text : `${text}=${heardAs}`,
  );

test.each([
  ['call Keswick now', 'call kezik now', ['call', 'Keswick=kezik', 'now']],
  ['call Keswick now', 'call kez wick now', ['call', 'Keswick=kez wick', 'now']],
  ['to Scafell Pike today', 'to scar fell pike today', ['to', 'Scafell=scar', 'Pike=fell pike', 'today']],
  ['to Scafell Pike today', 'to scarfell today', ['to', 'Scafell=scarfell', 'Pike=', 'today']],
  ['go Keswick', 'go kezik', ['go', 'Keswick=kezik']],
  ['all the same', 'all the same', ['all', 'the', 'same']],
  ['one three', 'one two three', ['one', 'three=two three']],
  ['one', 'one two', ['one=one two']],
])('%s, heard as %s', (written, unbiased, marked) => {
  expect(mark(written, unbiased)).toEqual(marked);
});

test('what was heard can be put together again from any two texts', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, (written, unbiased) => {
      const marked = markChanges(words(written.join(' ')), words(unbiased.join(' ')));
      expect(marked.map(({ text }) => text)).toEqual(written);
      const heard = marked.map(({ text, heardAs }) => heardAs ?? text).filter((text) => text !== '');
      expect(heard.join(' ')).toBe(unbiased.join(' '));
    }),
  );
});
