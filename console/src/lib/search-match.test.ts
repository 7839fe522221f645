import { describe, expect, test } from 'vitest';
import { isSearchable, longestMatch, markParts, matchedWords, mayChangeResults, mayMatch } from './search-match.ts';

const marked = (text: string, searchText: string) =>
  markParts(text, searchText)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('what matches is marked', () => {
  test.each([
    ['The Ferry is late. No ferry today!', 'ferry', 'The [Ferry] is late. No [ferry] today!'],
    ['the harbour master', 'harb', 'the [harbour] master'],
    ['Au Café, naïvement', 'cafe NAIVE', 'Au [Café], [naïvement]'],
    ['north, south, north gate', '"north gate"', 'north, south, [north gate]'],
    ['north, south, north gate', 'north gate', '[north], south, [north] [gate]'],
    ['send an e-mail, he said', 'e-mail', 'send an [e-mail], he said'],
    ['Don’t go, dont', "don't", '[Don’t] go, [dont]'],
    ['東京タワーへ行く', '京タ', '東[京タ]ワーへ行く'],
    ['مرحبا بالعالم', 'مرحبا', '[مرحبا] بالعالم'],
    ['<b>bold</b> & <i>', 'b', '<[b]>[bold]</[b]> & <i>'],
    ['an "unclosed quote', '"unclosed', 'an "[unclosed] quote'],
    ['Nine one one, someone!', '911', '[Nine one one], someone!'],
    ['Dial 911, someone!', 'nine one one', 'Dial [911], someone!'],
    ['One fire truck, an e-mail', 'trucks email', 'One fire [truck], an [e-mail]'],
    ['One fire truck', '"trucks"', 'One fire truck'],
    ['nothing of it', 'else', 'nothing of it'],
    ['', 'else', ''],
  ])('%j searched for %j', (text, searchText, expected) => {
    expect(marked(text, searchText)).toBe(expected);
  });

  test('no letter of the text is lost or doubled', () => {
    const text = 'aa a-a äa, a "aa" a';
    const parts = markParts(text, 'a "a a" aa');
    expect(parts.map((part) => part.text).join('')).toBe(text);
  });
});

test('the words of a transcript that match are known by their place, a phrase across them too', () => {
  const transcript = 'The north gate, not the gate.';
  const words = transcript.split(' ').map((text) => ({ text }));
  expect([...matchedWords(transcript, words, '"north gate"')]).toEqual([1, 2]);
  expect([...matchedWords(transcript, words, 'GATE')]).toEqual([2, 5]);
  expect(matchedWords(transcript, words, '').size).toBe(0);
});

test('a text may match when it contains all that is searched for', () => {
  expect(mayMatch('The ferry left in the fog.', 'FOG ferr')).toBe(true);
  expect(mayMatch('The ferry left in the fog.', '"fog ferry"')).toBe(false);
});

test('a search needs a letter or a digit', () => {
  expect(['', ' ', '"', '…!', '"" -'].map(isSearchable)).toEqual([false, false, false, false, false]);
  expect(['a', '7', '東', '"a"'].map(isSearchable)).toEqual([true, true, true, true]);
});

test('a text may change the results by similar words, or together with a neighbouring clip', () => {
  expect(mayChangeResults('The ambulance is late.', 'ambulence')).toBe(true);
  expect(mayChangeResults('The ambulance is late.', '"ambulence"')).toBe(false);
  expect(mayChangeResults('Near the old', 'old lighthouse')).toBe(true);
  expect(mayChangeResults('lighthouse keeper', 'old lighthouse')).toBe(true);
  expect(mayChangeResults('the keeper of the lighthouse', 'old lighthouse')).toBe(false);
});

test('the longest match has as many words as the longest form of a number', () => {
  expect(longestMatch('owl')).toBe(1);
  expect(longestMatch('"the north gate" owl')).toBe(3);
  expect(longestMatch('911')).toBe(4);
});
