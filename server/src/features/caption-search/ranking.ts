import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Search, Slice } from './matching.ts';

/*
 * Relevance of a text, which stands between blanks:
 *
 *   sum over phrases (occurrences, at most 5, + 3 when it stands there as whole words), doubled when the phrases stand
 *   there side by side in their order, over the root of 200 and the length in bytes
 *
 * Only the first phrases count, so that a long search does not cost more than it can gain.
 */
const mostScored = 6;
const mostOccurrences = 5;
const wholeWords = 3;
const usualLength = 200;

export function relevance(db: Db, text: Fragment, phrases: readonly string[]): Fragment {
  const scored = phrases.slice(0, mostScored);
  const sum = scored.reduce((before, phrase) => db`${before} + ${scoreOf(db, text, phrase)}`, db`0`);
  const inOrder = db`case when ${text} like ${`%${scored.join(' ')}%`} then 2 else 1 end`;
  return db`((${sum}) * ${scored.length > 1 ? inOrder : db`1`} / sqrt(${usualLength}::float8 + octet_length(${text})))`;
}

const scoreOf = (db: Db, text: Fragment, phrase: string): Fragment => db`
  least(${mostOccurrences}::int, (octet_length(${text}) - octet_length(replace(${text}, ${phrase}, ''))) / octet_length(${phrase}))
  + case when ${text} like ${`% ${phrase} %`} then ${wholeWords}::int else 0 end`;

export const inOrderOf = (db: Db, { order }: Slice): Fragment =>
  order === 'asc' ? db`order by start_ms, audio_clip_id` : db`order by start_ms desc, audio_clip_id desc`;

export interface Hits {
  /** Rows of audio_clip_id and start_ms, and of text where they have it. */
  readonly rows: Fragment;
  readonly haveText?: boolean;
  /** Whether they are all that there are, and no more than are counted. */
  readonly areAll: Fragment;
}

/** The keys of a slice. Unless the hits are all, only the newest are ranked, and the others follow by their time. */
export function sliceOf(
  db: Db,
  { slice, phrases, limits }: Search,
  { rows, haveText = false, areAll }: Hits,
): Fragment {
  const { order, offset, limit } = slice;
  if (order !== 'relevance') {
    return db`array(select audio_clip_id from ${rows} h ${inOrderOf(db, slice)} offset ${offset} limit ${limit})`;
  }
  const isRanked = db`(age <= ${limits.mostRanked} or ${areAll})`;
  const text = haveText
    ? db`select h.text where ${isRanked}`
    : db`select s.text from caption_search s where ${isRanked} and s.audio_clip_id = h.audio_clip_id`;
  return db`array(
    select h.audio_clip_id from (
      select *, row_number() over (order by start_ms desc, audio_clip_id desc) as age from ${rows} h) h
    left join lateral (${text}) s on true
    order by ${relevance(db, db`s.text`, phrases)} desc nulls last, start_ms desc, audio_clip_id desc
    offset ${offset} limit ${limit})`;
}
