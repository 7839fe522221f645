import type { Db } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';

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
