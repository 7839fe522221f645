import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Search, Slice } from './matching.ts';

/*
 * The relevance of a text, which begins and ends with a blank:
 *
 *   sum over phrases (occurrences, at most 5, + 3 if it occurs as whole words), doubled if the phrases occur next to
 *   each other in their order, divided by the square root of (200 + length in bytes)
 *
 * Only the first phrases count, which limits the cost of a long search.
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

export const orderMatches = (db: Db, { order }: Slice): Fragment =>
  order === 'asc' ? db`order by start_ms, audio_clip_id` : db`order by start_ms desc, audio_clip_id desc`;

export interface Hits {
  /** Rows with audio_clip_id, start_ms and, if available, text. */
  readonly rows: Fragment;
  readonly haveText?: boolean;
  /** Whether the rows are all matches, and no more than are counted. */
  readonly areAll: Fragment;
}

/**
 * The keys of a slice. If the rows are not all matches, only the newest are ranked; the others follow in time order.
 */
export function sliceOf(
  db: Db,
  { slice, phrases, limits }: Search,
  { rows, haveText = false, areAll }: Hits,
): Fragment {
  const { order, offset, limit } = slice;
  if (order !== 'relevance') {
    return db`array(select audio_clip_id from ${rows} h ${orderMatches(db, slice)} offset ${offset} limit ${limit})`;
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
