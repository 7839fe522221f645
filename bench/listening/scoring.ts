import { speakWord } from '@earshot/server/platform/listening/embedded/spoken-words';

export interface Score {
  readonly said: number;
  readonly substituted: number;
  readonly inserted: number;
  readonly missed: number;
  /** The indexes of correct words, in the spoken and in the transcribed text. */
  readonly matches: readonly (readonly [said: number, heard: number])[];
}

/** A spoken word with the properties of the written word that it comes from. */
export type Spoken<Written> = Written & {
  readonly spoken: string;
  /** Of the spoken words of one written word, only the first begins when that word begins. */
  readonly isFirst: boolean;
};

/** Sounds of hesitation: transcripts and engines differ in whether they write them. */
const fillers = new Set(['ah', 'eh', 'er', 'erm', 'hm', 'hmm', 'mhm', 'mm', 'uh', 'uhm', 'um']);

/** Different spellings of the same spoken words. */
const spellings: Readonly<Record<string, string>> = {
  alright: 'all right',
  cause: 'because',
  gonna: 'going to',
  gotta: 'got to',
  kinda: 'kind of',
  mrs: 'missus',
  ok: 'okay',
  wanna: 'want to',
  yknow: 'you know',
  centre: 'center',
  centres: 'centers',
  grey: 'gray',
  metre: 'meter',
  metres: 'meters',
  programme: 'program',
  theatre: 'theater',
};

const britishOur = /^((?:arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|parl|rum|sav|splend|vap|vig)o)u(r\w*)$/;
const britishIse = /^(\w{4,})is(e|ed|es|ing|ation)$/;
const britishVerbs = /^(?:apolog|author|character|civil|critic|emphas|organ|real|recogn|standard|util)$/;

/** The other half of a contraction after an apostrophe. */
const contracted: Readonly<Record<string, string>> = { ll: 'will', m: 'am', re: 'are', ve: 'have' };
const contraction = /^([a-z]+)'(ll|m|re|ve)$/;
/** After other words, “'s” is mostly a genitive. */
const withIs = /^(he|here|how|it|she|that|there|what|where|who)'s$/;
const withNot = /^([a-z]+)n't$/;
const irregular: Readonly<Record<string, string>> = {
  "can't": 'cannot',
  "let's": 'let us',
  "shan't": 'shall not',
  "won't": 'will not',
};

/** Words in their spoken form, so that “1813” and “eighteen thirteen” or “Mr.” and “mister” are equal. */
export const spokenWords = (text: string): string[] =>
  text
    .split(/\s+/)
    .flatMap((word) => speakWord(withoutStop(word)))
    .flatMap((word) => writeOut(word).replace(/'/g, '').split(' '))
    .flatMap((word) => spellSame(word).split(' '))
    .filter((word) => word !== '' && !fillers.has(word));

/** The comma after “1813,” does not separate thousands. */
const withoutStop = (word: string): string => word.replace(/[,.;:!?]+$/, '');

/** “We're” and “we are” are the same words: transcripts and engines write either for both. */
function writeOut(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  const [, start, end = ''] = contraction.exec(word) ?? [];
  if (start !== undefined) return `${start} ${contracted[end]!}`;
  return word.replace(withIs, '$1 is').replace(withNot, '$1 not');
}

function spellSame(word: string): string {
  const known = spellings[word];
  if (known !== undefined) return known;
  const [, stem = '', ending = ''] = britishIse.exec(word) ?? [];
  if (britishVerbs.test(stem)) return `${stem}iz${ending}`;
  return word.replace(britishOur, '$1$2');
}

/** The spoken words of written words that have other properties, such as times. */
export const speakAll = <Written extends { readonly text: string }>(words: readonly Written[]): Spoken<Written>[] =>
  sayYears(
    words.flatMap((word) => spokenWords(word.text).map((spoken, at) => ({ ...word, spoken, isFirst: at === 0 }))),
  );

const yearEnds = new Set(
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty'.split(
    ' ',
  ),
);

/** The year 2020 is “twenty twenty” or “two thousand and twenty”: written in digits, it cannot be told which. */
function sayYears<Word extends { readonly spoken: string }>(words: readonly Word[]): Word[] {
  const said: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const isThousand = words[at]!.spoken === 'two' && words[at + 1]?.spoken === 'thousand';
    const end = isThousand && words[at + 2]?.spoken === 'and' ? at + 3 : at + 2;
    const isYear = isThousand && yearEnds.has(words[end]?.spoken ?? '');
    said.push(isYear ? { ...words[at]!, spoken: 'twenty' } : words[at]!);
    if (isYear) at = end - 1;
  }
  return said;
}

/**
 * Two neighbours that the other text writes as one word become that word: “fire fox” and “firefox” sound the same.
 */
export function joinCompounds<Word extends { readonly spoken: string }>(
  words: readonly Word[],
  others: readonly { readonly spoken: string }[],
): Word[] {
  const whole = new Set(others.map(({ spoken }) => spoken));
  const pairs = new Set(others.slice(1).map(({ spoken }, at) => `${others[at]!.spoken} ${spoken}`));
  const joined: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word, next] = [words[at]!, words[at + 1]];
    const isCompound = next && whole.has(word.spoken + next.spoken) && !pairs.has(`${word.spoken} ${next.spoken}`);
    joined.push(isCompound ? { ...word, spoken: word.spoken + next.spoken } : word);
    if (isCompound) at += 1;
  }
  return joined;
}

/** The shortest sequence of edits from the spoken to the transcribed text. */
export function compareWords(said: readonly string[], heard: readonly string[]): Score {
  const width = heard.length + 1;
  const costs = new Uint32Array((said.length + 1) * width);
  const at = (row: number, column: number) => costs[row * width + column]!;
  for (let row = 0; row <= said.length; row++) {
    for (let column = 0; column <= heard.length; column++) {
      const isSame = said[row - 1] === heard[column - 1];
      const ways = [
        row > 0 && column > 0 ? at(row - 1, column - 1) + (isSame ? 0 : 1) : Infinity,
        row > 0 ? at(row - 1, column) + 1 : Infinity,
        column > 0 ? at(row, column - 1) + 1 : Infinity,
      ];
      costs[row * width + column] = row === 0 && column === 0 ? 0 : Math.min(...ways);
    }
  }
  const score = { said: said.length, substituted: 0, inserted: 0, missed: 0, matches: [] as [number, number][] };
  for (let row = said.length, column = heard.length; row > 0 || column > 0;) {
    const cost = at(row, column);
    const isSame = row > 0 && column > 0 && said[row - 1] === heard[column - 1];
    if (isSame && at(row - 1, column - 1) === cost) score.matches.unshift([--row, --column]);
    else if (row > 0 && column > 0 && at(row - 1, column - 1) + 1 === cost) {
      score.substituted += 1;
      row -= 1;
      column -= 1;
    } else if (row > 0 && at(row - 1, column) + 1 === cost) {
      score.missed += 1;
      row -= 1;
    } else {
      score.inserted += 1;
      column -= 1;
    }
  }
  return score;
}

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
