import { expect, test } from 'vitest';
import { findCorrectedTerms } from './corrected-terms.ts';

const find = (former: string, later: string) =>
  findCorrectedTerms(former.split(' '), later.split(' ')).map(({ term, heardAs }) => [term, heardAs]);

test('names and codes in place of other words are found, with what was written before', () => {
  expect(find('turn left at key side please', 'turn left at Quayside, please')).toEqual([['Quayside', 'key side']]);
  expect(find('unit key nine is here', 'unit K9 is here')).toEqual([['K9', 'key nine']]);
  expect(find('call van halen now', 'call Van Haelen now')).toEqual([['Haelen', 'halen']]);
  expect(find('call ban hallow now', 'call Van Haelen now')).toEqual([['Van Haelen', 'ban hallow']]);
});

test.each([
  ['a word that is no name', 'we saw a bare there', 'we saw a bear there'],
  ['other case and punctuation', 'at quay side', 'At Quay-side!'],
  ['the beginning of a sentence', 'he went. an we came', 'He went. And we came'],
  ['a word that was added', 'we saw there', 'we saw Harry there'],
  ['a passage that was rewritten', 'a b c d e f', 'One Two Three Four Five Six'],
])('%s is no proposal', (_, former, later) => {
  expect(find(former, later)).toEqual([]);
});
