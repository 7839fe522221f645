import type { CaptionSearch } from '@earshot/contract/caption-search';
import { newestStart } from '../clips/fill.ts';
import type { Corpus } from './corpus.ts';
import { seededRandom } from './corpus.ts';
import type { Asker } from './databases.ts';

/** A kind of search, with many different texts. */
export interface SearchQuestion {
  readonly name: string;
  readonly texts: readonly string[];
  /** The other fields of the search. */
  readonly narrow: (asker: Asker) => Omit<CaptionSearch, 'searchText'>;
}

const homophones = [
  'brake',
  'knight',
  'weather',
  'hear',
  'piece',
  'plane',
  'road',
  'sight',
  'right',
  'blue',
  'son',
  'write',
];
const numbers = ['nine one one', 'ninety six', 'one oh four', 'nineteen eighty four', 'two hundred five', 'seven'];
const usualNumbers = ['911', 'nine one one', '10-4', 'ten four', 'one', 'two', 'four', '4', '7', '96', 'ninety six'];
const codes = ['unit 7', 'KLM 456', 'K9', 'engine 96', '146.52', '5550199', 'July 4', '10:30', 'A 1', 'one two'];
const letters = 'abcdefghijklmnopqrstuvwxyz';

export function createQuestions({ words }: Corpus, textsEach: number): readonly SearchQuestion[] {
  const random = seededRandom(23);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  const rank = (low: number, high: number): string => words[between(low, Math.min(high, words.length))]!;
  const letter = (): string => letters[between(0, letters.length)]!;
  const part = (word: string): string => {
    const from = between(0, word.length - 3);
    return word.slice(from, from + 4);
  };
  /** Swaps two letters. */
  const misspell = (word: string): string => {
    const at = between(1, word.length - 2);
    return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  };
  const kinds: Readonly<Record<string, () => string>> = {
    'a rare word': () => rank(15_000, words.length),
    'a common word': () => rank(0, 30),
    'a word in between': () => rank(100, 2_000),
    'two common words that rarely meet': () => `${rank(300, 1_500)} ${rank(300, 1_500)}`,
    'a phrase': () => `"${rank(0, 30)} ${rank(0, 30)}"`,
    'a rare phrase of common words': () => `"${rank(60, 500)} ${rank(60, 500)}"`,
    'a part of words': () => part(rank(1_000, 20_000).padEnd(4, 'e')),
    'two letters': () => letter() + letter(),
    'a misspelled word': () => misspell(rank(1_000, words.length).padEnd(6, 'e')),
    'a word that sounds like another': () => homophones[between(0, homophones.length)]!,
    'a number in digits': () => String(between(10, 2_000)),
    'a number in words': () => `${rank(300, 1_500)} ${numbers[between(0, numbers.length)]!}`,
    'a plural': () => `${rank(100, 2_000)}s`,
    'two words that may be in two clips': () => `${rank(1_000, 5_000)} ${rank(1_000, 5_000)}`,
    'a whole sentence': () => Array.from({ length: 12 }, () => rank(0, 300)).join(' '),
    'a number that is said often': () => usualNumbers[between(0, usualNumbers.length)]!,
    'a call sign or a time': () => codes[between(0, codes.length)]!,
    'a word with a hyphen': () => `${rank(100, 2_000)}-${rank(100, 2_000)}`,
    'a word that nobody said': () => `${letter()}q${rank(1_000, 5_000)}x${letter()}`,
    'a common word and one that nobody said': () => `${rank(0, 30)} ${letter()}q${rank(1_000, 5_000)}x`,
    'the most common words together': () => `${rank(0, 6)} ${rank(6, 12)} ${rank(12, 30)}`,
  };
  const narrowed: Readonly<Record<string, Pick<SearchQuestion, 'narrow'> & { readonly make: () => string }>> = {
    'a common word on one device': {
      make: () => rank(0, 30),
      narrow: ({ deviceID }) => ({ deviceIDList: [deviceID] }),
    },
    'a word in between, in one hour': {
      make: () => rank(100, 2_000),
      narrow: () => ({ startEpoch: newestStart - 30_000, endEpoch: newestStart - 26_400 }),
    },
    'a number, before the last hours': {
      make: () => usualNumbers[between(0, usualNumbers.length)]!,
      narrow: () => ({ endEpoch: newestStart - 10_000 }),
    },
    'a word in between, with a tag': { make: () => rank(100, 2_000), narrow: () => ({ tagIDList: [7] }) },
  };
  const textsOf = (make: () => string): readonly string[] => Array.from({ length: textsEach }, make);
  return [
    ...Object.entries(kinds).map(([name, make]) => ({ name, texts: textsOf(make), narrow: () => ({}) })),
    ...Object.entries(narrowed).map(([name, { make, narrow }]) => ({ name, texts: textsOf(make), narrow })),
  ];
}
