import { expect, test } from 'vitest';
import { compareWords, joinCompounds, speakAll, spokenWords } from './scoring.ts';

test('different ways to write the same spoken words are equal', () => {
  const same = [
    ['In 1813, Mr. Smith paid $5.', 'in eighteen thirteen mister smith paid five dollars'],
    ['Mrs. Rogers', 'missus rogers'],
    ['“Don’t!” she said', "DON'T SHE SAID"],
    ['um, the whole-number ratio, uh', 'the whole number ratio'],
    ['We’re gonna be OK, alright?', "we're going to be okay all right"],
    ['the colour of her neighbours’ splendour', 'the color of her neighbors splendor'],
    ['They realised it', 'they realized it'],
    ['the 21st of May', 'the twenty first of may'],
    ['We’re sure it’s late, and they’ll say I’ve won', 'we are sure it is late and they will say i have won'],
    ['I can’t, won’t and don’t; let’s go', 'i cannot will not and do not let us go'],
  ];
  for (const [one, other] of same) expect(spokenWords(one!)).toEqual(spokenWords(other!));
});

test('words that only look like another spelling stay as they are', () => {
  expect(spokenWords('four hours of our advice, your tour, promise, exercise')).toEqual(
    'four hours of our advice your tour promise exercise'.split(' '),
  );
});

test('a genitive is no contraction', () => {
  expect(spokenWords("the patient's life, Richard the Third's ghosts")).toEqual(
    'the patients life richard the thirds ghosts'.split(' '),
  );
});

test('a year in digits is equal to both ways to say it', () => {
  const speak = (text: string) => speakAll(text.split(' ').map((word) => ({ text: word }))).map(({ spoken }) => spoken);
  const year = 'in twenty twenty one'.split(' ');
  for (const text of ['in 2021', 'in twenty twenty one', 'in two thousand and twenty one']) {
    expect(speak(text)).toEqual(year);
  }
  expect(speak('2000 and 2,000 and 2005')).toEqual('two thousand and two thousand and two thousand five'.split(' '));
});

test('a compound is compared as one word, whichever text writes it as two', () => {
  const speak = (text: string) => speakAll(text.split(' ').map((word) => ({ text: word })));
  const join = (one: string, other: string) => joinCompounds(speak(one), speak(other)).map(({ spoken }) => spoken);
  expect(join('open fire fox now', 'open firefox now')).toEqual(['open', 'firefox', 'now']);
  expect(join('open firefox now', 'open fire fox now')).toEqual(['open', 'firefox', 'now']);
  expect(join('a way away', 'a way away')).toEqual(['a', 'way', 'away']);
});

test('substituted, added and missed words are counted, and correct ones matched', () => {
  const score = compareWords('go forward ten meters'.split(' '), 'please go back ten'.split(' '));
  expect(score).toMatchObject({ said: 4, substituted: 1, inserted: 1, missed: 1 });
  expect(score.matches).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test('only the first spoken word of a number begins when the number begins', () => {
  const words = speakAll([{ text: '1813', startMs: 500 }]);
  expect(words.map(({ spoken, isFirst }) => [spoken, isFirst])).toEqual([
    ['eighteen', true],
    ['thirteen', false],
  ]);
});
