import { readPhrases } from '@earshot/contract/search-words';
import { invalidField } from '../../errors.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';


/** The phrases of a search text. */
export function requirePhrases(searchText: string, path = 'searchText'): readonly string[] {
  const phrases = readPhrases(searchText);
  if (phrases.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return phrases;
}

// Phrases contain letters, digits and blanks only, so none of them is special in a LIKE pattern.
const patterns = (phrases: readonly string[]): string[] => phrases.map((phrase) => `%${phrase}%`);

/** Whether a text of caption_search contains all phrases. All searches use this condition. */
export const contains = (db: Db, text: Fragment, phrases: readonly string[]): Fragment =>
  db`${text} like all(${patterns(phrases)}::text[])`;

/** The same condition for the clip with this key. */
export const isSaid = (db: Db, clipID: Fragment, phrases: readonly string[]): Fragment =>
  contains(db, db`(select said.text from caption_search said where said.audio_clip_id = ${clipID})`, phrases);

/** Updates the index for clips whose start has changed; the rows have `key` and `start_ms`. */
export const moveSaid = (db: Db, clips: Fragment): Fragment => db`
  update caption_search said set start_ms = moved.start_ms from ${clips} moved where said.audio_clip_id = moved.key`;
