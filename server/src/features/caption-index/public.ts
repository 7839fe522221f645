import { gramsOf, gramsOfPhrase, mostGrams } from './grams.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { SpokenCaption } from './index-queries.ts';
import { comparable, readPhrases, readWords } from '@earshot/contract/search-words';
import { numberArray } from '../../platform/database/number-array.ts';
import { invalidField } from '../../errors.ts';
import { patterns } from './rules.ts';

/** The grams by which captions that may contain all phrases are looked up. */
export function gramsToFind(phrases: readonly string[]): number[] {
  const grams = [...new Set(phrases.flatMap(gramsOfPhrase))];
  const step = Math.max(1, grams.length / mostGrams);
  return Array.from({ length: Math.min(grams.length, mostGrams) }, (_, index) => grams[Math.floor(index * step)] ?? 0);
}

/**
 * Indexes the transcript for the search, in the transaction that writes or corrects it. The row is removed with its
 * caption, and moved with its clip.
 */
export async function indexCaption(tx: Db, { clipID, transcript }: SpokenCaption): Promise<void> {
  const text = comparable(readWords(transcript));
  // Locked until the transaction ends: a concurrent change of the clip's start either has committed or runs after this.
  await tx`
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select c.key, c.device_id, c.start_ms, ${text}, ${numberArray(gramsOf(text))}::integer[]
    from (select key, device_id, start_ms from audio_clips where key = ${clipID} for share) c
    on conflict (audio_clip_id) do update set text = excluded.text, grams = excluded.grams, start_ms = excluded.start_ms`;
}

/** The phrases of a search text. */
export function requirePhrases(searchText: string, path = 'searchText'): readonly string[] {
  const phrases = readPhrases(searchText);
  if (phrases.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return phrases;
}

/** Whether a text of caption_search contains all phrases. All searches use this condition. */
export const contains = (db: Db, text: Fragment, phrases: readonly string[]): Fragment =>
  db`${text} like all(${patterns(phrases)}::text[])`;

/** The same condition for the clip with this key. */
export const transcriptContains = (db: Db, clipID: Fragment, phrases: readonly string[]): Fragment =>
  contains(db, db`(select said.text from caption_search said where said.audio_clip_id = ${clipID})`, phrases);

/** Updates the index for clips whose start has changed; the rows have `key` and `start_ms`. */
export const moveIndexed = (db: Db, clips: Fragment): Fragment => db`
  update caption_search said set start_ms = moved.start_ms from ${clips} moved where said.audio_clip_id = moved.key`;
