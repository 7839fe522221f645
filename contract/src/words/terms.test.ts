import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsSimilar, containsTerms } from './compare.ts';
import { readSequences } from './sequences.ts';
import { readTerms } from './terms.ts';

const matches = (text: string, searchText: string): boolean => containsTerms(text, readTerms(searchText));

/** The same number in several forms: each finds all of its line. */
const numbers: readonly (readonly string[])[] = [
  ['7', 'seven'],
  ['0', 'zero'],
  ['96', 'ninety six', 'ninety-six', 'nine six', '9-6'],
  ['100', 'one hundred', 'a hundred'],
  ['104', 'one oh four', 'one zero four', 'one hundred and four', 'one hundred four', '1-0-4'],
  ['911', 'nine one one', 'nine eleven', 'nine hundred eleven', 'nine hundred and eleven', '9 1 1', '9-1-1'],
  ['1200', '1,200', 'twelve hundred', 'one thousand two hundred'],
  ['1900', 'nineteen hundred', 'one thousand nine hundred'],
  ['1905', 'nineteen oh five', 'nineteen hundred and five'],
  ['1984', 'nineteen eighty-four', 'one thousand nine hundred eighty four'],
  ['2026', 'twenty twenty six', 'two thousand twenty six', 'two thousand and twenty-six'],
  ['40000', '40,000', 'forty thousand'],
  ['234567', '234,567', 'two hundred thirty four thousand five hundred sixty seven'],
  ['999999', '999,999', 'nine hundred ninety nine thousand nine hundred ninety nine'],
  ['007', 'zero zero seven', 'oh oh seven', '0-0-7'],
  ['5550199', '555-0199', 'five five five oh one nine nine', 'five five five zero one nine nine'],
  ['10:30', 'ten thirty', '10 30'],
  ['0730', '07:30', 'zero seven thirty', 'oh seven thirty', 'zero seven three zero'],
  ['3.5', 'three point five', 'three decimal five'],
  ['146.52', 'one four six point five two', 'one forty six point five two', 'one forty-six decimal fifty-two'],
  ['729', 'seven two niner', 'seven two nine', 'seven twenty nine'],
  ['1st', 'first'],
  ['12th', 'twelfth'],
  ['20th', 'twentieth'],
  ['21st', 'twenty first', 'twenty-first'],
  ['103rd', 'one hundred third', 'one hundred and third'],
];

describe('a number', () => {
  test.each(numbers)('%s is found in all its forms, by all of them', (...forms) => {
    const missed = forms.flatMap((searchText) =>
      forms.filter((form) => !matches(`We heard ${form} today.`, searchText)).map((form) => [searchText, form]),
    );
    expect(missed).toEqual([]);
  });

  test.each([
    ['96', 'sixty nine'],
    ['3.5', 'thirty five'],
    ['911', 'nine or eleven'],
    ['1', 'someone'],
    ['21st', 'twenty one'],
    ['"96"', 'ninety six'],
    ['"ninety six"', '96'],
  ])('%s is not found in %s', (searchText, text) => expect(matches(text, searchText)).toBe(false));
});

/** The same code, name or date in several forms: each finds all of its line. */
test.each([
  ['KLM456', 'KLM 456', 'K L M four five six', 'k l m 4-5-6'],
  ['7ABC123', 'seven a b c one two three', '7 ABC 123'],
  ['UA412', 'u a four twelve', 'UA 412'],
  ['K9', 'K-9', 'K nine', 'k 9'],
  ['W1AW', 'w one a w', 'W 1 A W', 'w-1-a-w'],
  ['I-95', 'I ninety-five'],
  ['unit-7', 'unit seven', 'unit 7'],
  ['4B', 'four b', '4 b'],
  ['ETA', 'E T A', 'e.t.a.'],
  ['Dr. Patel', 'doctor patel'],
  ['St. Mary', 'saint mary'],
  ['Elm Ave', 'elm avenue'],
  ['okay', 'OK'],
  ['they are', "they're"],
  ['cannot', 'can not', "can't"],
  ['did not', 'didn’t'],
  ['July 4', '4 July', 'July 4th', 'the fourth of July', 'July four'],
])('%s is found in all its forms, by all of them', (...forms) => {
  const missed = forms.flatMap((searchText) =>
    forms
      .filter((form) => !matches(`We heard ${form} today.`, searchText.replace(/ of |the /gu, ' ')))
      .map((form) => [searchText, form]),
  );
  expect(missed).toEqual([]);
});

test.each([
  ['ABC123', 'Adam Boy Charles one two three', 'alpha bravo charlie 123', 'A B C 1 2 3', 'alfa bravo c 1 2 3'],
  ['7D', 'seven David', 'seven delta', '7 D'],
  ['N123AB', 'November one two three alpha bravo', 'Nora 123 Adam Boy'],
  ['7XYZ441', 'seven x-ray yankee zulu four forty one', '7 xyz 441', '7XYZ 441'],
  ['K9', 'canine', 'K-9', 'K nine'],
  ['E2774', 'Engine 2774', 'engine twenty-seven seventy-four', 'E 2774'],
  ['BC3', 'battalion chief three'],
  ['I-95', 'interstate ninety-five', 'I95'],
  ['SR-16', 'state route sixteen', 'SR 16'],
  ['27L', 'runway two seven left', 'runway 27L', 'runway twenty seven left'],
  ['09C', 'runway zero nine centre', 'runway nine center'],
  ['FL120', 'flight level one two zero', 'flight level 120'],
  ['DLH452', 'Lufthansa four five two', 'lufthansa four fifty two'],
  ['UAL1175', 'united eleven seventy five', 'United 1175'],
  ['rte 16', 'route 16', 'route sixteen', 'rt 16'],
  ['25 mph', '25 miles per hour', 'twenty five miles an hour'],
  [`6'2"`, 'six foot two', '6 feet 2', 'six ft 2 inches'],
  ['5:30', 'half past five', 'half past 5'],
  ['quarter to one', '12:45'],
  ['quarter past 9', '9:15', '09:15'],
])('%s is said as its other forms, and they as it', (...forms) => {
  const missed = forms.flatMap((searchText) =>
    forms.filter((form) => !matches(`We heard ${form} today.`, searchText)).map((form) => [searchText, form]),
  );
  expect(missed).toEqual([]);
});

test.each([
  ['Mike', 'section M'],
  ['Victor', 'V'],
  ['Charlie', 'a, b, c'],
  ['Adam King', 'A K'],
  ['7D', '7 days'],
  ['E2774', 'case 2774'],
  ['Engine 5', 'Edward five'],
  ['27L', 'two seven liters'],
  ['47L', 'forty seven left'],
  ['I-95', 'I have ninety five'],
  ['5:30', 'five or thirty'],
  ['half past five', '6:30'],
  [`6'2"`, 'six or two'],
  [`6'2"`, '162'],
  ['"ABC123"', 'alpha bravo charlie 123'],
])('%s does not find "%s"', (searchText, text) => expect(matches(text, searchText)).toBe(false));

test.each([
  ['July 4 1986', 'the fourth of July nineteen eighty-six'],
  ['Maple Dr', 'on Maple Drive'],
  ['Baker St', 'in Baker Street'],
  ['K 9 a dog', 'a K-nine dog'],
])('%s is found in "%s"', (searchText, text) => expect(matches(text, searchText)).toBe(true));

test.each([
  ['drive', 'Dr. Patel'],
  ['K9', 'k 99'],
  ['4B', 'for b'],
  ['"4B"', 'four b'],
  ['"ETA"', 'E T A'],
  ['"Dr Patel"', 'doctor patel'],
  ['we are', 'they were'],
  ['July 40', 'the fortieth of July'],
  ['gate 4', 'the fourth gate'],
  ['ses', 'the letter s'],
])('%s is not found in "%s"', (searchText, text) => expect(matches(text, searchText)).toBe(false));

test.each([
  ['trucks', 'one truck'],
  ['boxes', 'a box'],
  ['buses', 'a bus'],
  ['stories', 'the story'],
  ['story', 'two stories'],
  ['women', 'a woman'],
  ['wolf', 'the wolves'],
  ['e-mails', 'an email'],
  ['email', 'an e-mail'],
  ['followup', 'a follow-up'],
  ['follow-up', 'a followup'],
  ["o'brien", 'Mr O Brien'],
])('%s is found in "%s"', (searchText, text) => expect(matches(text, searchText)).toBe(true));

test.each([
  ['news', 'a new one'],
  ['glass', 'a glas'],
  ['bus', 'a bu'],
  ['"trucks"', 'a truck'],
  ['"email"', 'an e-mail'],
  ['email', 'we mail it'],
])('%s is not found in "%s"', (searchText, text) => expect(matches(text, searchText)).toBe(false));

test.each([
  ['ambulence', 'the ambulance'],
  ['recieve', 'we receive'],
  ['seperate', 'in separate rooms'],
  ['definately', 'definitely not'],
  ['tommorow', 'see you tomorrow'],
  ['goverment', 'the government'],
  ['suprise', 'a surprise'],
  ['hospitel', 'at the hospital'],
  ['brakes', 'he breaks it'],
  ['knights', 'two nights'],
])('%s is similar to a word of "%s"', (searchText, text) => {
  expect(matches(text, searchText)).toBe(false);
  expect(containsSimilar(text, readTerms(searchText))).toBe(true);
});

test.each([
  ['north', 'worth it'],
  ['dog', 'a fog'],
  ['"ambulence"', 'the ambulance'],
])('%s is not similar to a word of "%s"', (searchText, text) =>
  expect(containsSimilar(text, readTerms(searchText))).toBe(false),
);

test('the sequences of a search, with numbers in their other forms', () => {
  const sequences = (searchText: string) => readSequences(readTerms(searchText), searchText);
  expect(sequences('gate')).toEqual([]);
  expect(sequences('email')).toEqual([]);
  expect(sequences('"north gate"')).toEqual(['north gate']);
  expect(sequences('"north gate" owl')).toEqual([]);
  expect(sequences('engine 47')).toContain('engine forty seven');
});

test('the last words of a long search have other forms too', () => {
  const search = `${'firetrucks '.repeat(3)}${Array.from({ length: 8 }, (_, at) => `overtime${'abcdefgh'[at]}`).join(' ')} 96`;
  expect(matches(`${search.replace('96', '')} ninety six`, search)).toBe(true);
});

test('a long search has few variants', () => {
  const word = fc.constantFrom(
    'ninety',
    'six',
    '911',
    'hundred',
    'and',
    'knives',
    'firetrucks',
    'e-mails',
    '1st',
    '"',
    'x',
    'adam',
    '7abc123',
    'engine',
  );
  const hostile = fc.array(fc.oneof(word, fc.string({ maxLength: 12 })), { minLength: 50, maxLength: 300 });
  fc.assert(
    fc.property(hostile, (words) => {
      const searchText = words.join(' ').slice(0, 1_000);
      const terms = readTerms(searchText);
      expect(terms.reduce((sum, { variants }) => sum + variants.length, 0)).toBeLessThanOrEqual(60);
      expect(new Set(terms.flatMap(({ patterns }) => patterns)).size).toBeLessThanOrEqual(8);
      expect(readSequences(terms, searchText).length).toBeLessThanOrEqual(6);
    }),
    { numRuns: 200 },
  );
});
