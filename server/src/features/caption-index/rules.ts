import { readPhrases } from '@earshot/contract/search-words';
import { invalidField } from '../../errors.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';

export { gramsToFind } from './grams.ts';
export { indexCaption } from './index-queries.ts';

/** The phrases of a search text, for whoever asks for clips in which they are said. */
export function requirePhrases(searchText: string, path = 'searchText'): readonly string[] {
  const phrases = readPhrases(searchText);
  if (phrases.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return phrases;
}

// Letters, digits and blanks: nothing in a phrase means anything in a pattern.
const patterns = (phrases: readonly string[]): string[] => phrases.map((phrase) => `%${phrase}%`);

/** Whether a text of caption_search contains all phrases: the one meaning of "was said". */
export const contains = (db: Db, text: Fragment, phrases: readonly string[]): Fragment =>
  db`${text} like all(${patterns(phrases)}::text[])`;

/** The same of the clip with this key, looked up by itself. */
export const isSaid = (db: Db, clipID: Fragment, phrases: readonly string[]): Fragment =>
  contains(db, db`(select said.text from caption_search said where said.audio_clip_id = ${clipID})`, phrases);

/** Keeps the index in step with clips whose start has changed; their rows have `key` and `start_ms`. */
export const moveSaid = (db: Db, clips: Fragment): Fragment => db`
  update caption_search said set start_ms = moved.start_ms from ${clips} moved where said.audio_clip_id = moved.key`;
