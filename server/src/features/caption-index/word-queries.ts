import type { Db } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import { gramsOfPhrase } from './grams.ts';
import { chooseGrams } from './rules.ts';
import { keysOfWord } from './words.ts';

/** More words than this are never compared with a searched one. */
const mostCompared = 2_000;

/** The listed words among these, and those that have one of the keys. */
export async function findListedWords(db: Db, words: readonly string[], keys: readonly number[]): Promise<Set<string>> {
  if (words.length === 0 && keys.length === 0) return new Set();
  const rows = await db<{ word: string }[]>`
    select word from caption_words where word = any(${words as string[]}::text[])
    union all
    (select word from caption_words where keys && ${numberArray(keys)}::integer[] limit ${mostCompared})`;
  return new Set(rows.map(({ word }) => word));
}

/** Adds words to the list. In order, so that concurrent inserts do not deadlock. */
export async function listWords(db: Db, words: readonly string[]): Promise<void> {
  const keys = words.map((word) => numberArray(keysOfWord(word)));
  await db`
    insert into caption_words (word, keys)
    select word, keys::integer[] from unnest(${words as string[]}::text[], ${keys}::text[]) n (word, keys) order by word
    on conflict do nothing`;
}

/** The next words of the list in alphabetical order. Short ones are in use, and are costly to look up. */
export async function findWordsAfter(db: Db, after: string, most: number): Promise<readonly string[]> {
  const rows = await db<{ word: string }[]>`
    select word from caption_words where word > ${after} and length(word) > 3 order by word limit ${most}`;
  return rows.map(({ word }) => word);
}

/** Whether a transcript contains the word. */
export async function isSaid(db: Db, word: string): Promise<boolean> {
  const rows = await db`
    select 1 from (
      select text from caption_search where grams @> ${numberArray(chooseGrams(gramsOfPhrase(word)))}::integer[] offset 0) s
    where s.text like ${`% ${word} %`} limit 1`;
  return rows.length > 0;
}

export const removeWords = (db: Db, words: readonly string[]): Promise<unknown> =>
  db`delete from caption_words where word = any(${words as string[]}::text[])`;
