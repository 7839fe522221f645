import type { SearchTerm } from '@earshot/contract/words/public';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { containsAllWords, containsVariant } from '../caption-index/public.ts';
import type { Search, Slice } from './matching.ts';

/*
 * The relevance of a text, which begins and ends with a blank:
 *
 *   for each term 10 if its words occur in their order as whole words, else 8 if one of its variants does, else 4 if its
 *   phrases do, as the digits of a number in any order; and the sum over phrases of
 *   (3 + occurrences, at most 5), doubled if the words occur in the order of the search, divided by the square root of
 *   (200 + length in bytes)
 *
 * So the number of whole words decides first. Only the first terms count, which limits the cost of a long search.
 */
const mostScored = 6;
const mostOccurrences = 5;
const leastCount = 3;
const [wholeWords, wholeVariant, wholeApart] = [10, 8, 4];
const usualLength = 200;

export function relevance(db: Db, text: Fragment, terms: readonly SearchTerm[]): Fragment {
  const scored = terms.slice(0, mostScored);
  const phrases = scored.flatMap((term) => term.phrases).slice(0, mostScored);
  const whole = scored.reduce((before, term) => db`${before} + ${wholeScoreOf(db, text, term)}`, db`0`);
  const count = phrases.reduce((before, phrase) => db`${before} + ${countOf(db, text, phrase)}`, db`0`);
  const inOrder = db`case when strpos(${text}, ${scored.map(({ typed }) => typed).join(' ')}) > 0 then 2 else 1 end`;
  return db`((${whole}) +
    (${count}) * ${phrases.length > 1 ? inOrder : db`1`} / sqrt(${usualLength}::float8 + octet_length(${text})))`;
}

function wholeScoreOf(db: Db, text: Fragment, term: SearchTerm): Fragment {
  const { typed, phrases, variants, patterns } = term;
  const isVariant = db`when ${containsVariant(db, text, term)} then ${wholeVariant}::int`;
  const areApart = db`when ${containsAllWords(db, text, phrases)} then ${wholeApart}::int`;
  return db`case when ${containsAllWords(db, text, [typed])} then ${wholeWords}::int
    ${variants.length + patterns.length > 0 ? isVariant : db``} ${typed === phrases[0] ? db`` : areApart} else 0 end`;
}

const countOf = (db: Db, text: Fragment, phrase: string): Fragment => db`
  ${leastCount}::int + least(${mostOccurrences}::int, (octet_length(${text}) - octet_length(replace(${text}, ${phrase}, ''))) / octet_length(${phrase}))`;

export const orderMatches = (db: Db, { order }: Slice): Fragment =>
  order === 'asc' ? db`order by start_ms, audio_clip_id` : db`order by start_ms desc, audio_clip_id desc`;

/** The columns of a match `s` that `sliceOf` needs. Looking up the texts to rank later would cost more than all else. */
export const hitColumns = (db: Db, { slice }: Search): Fragment =>
  db`s.audio_clip_id, s.start_ms ${slice.order === 'relevance' ? db`, s.text` : db``}`;

export interface Hits {
  /** Rows with the columns of a hit. */
  readonly rows: Fragment;
  /** Whether the rows are all matches, and no more than are counted. */
  readonly areAll: Fragment;
}

/**
 * The keys of a slice. If the rows are not all matches, only the newest are ranked; the others follow in time order.
 */
export function sliceOf(db: Db, { slice, terms, limits }: Search, { rows, areAll }: Hits): Fragment {
  const { order, offset, limit } = slice;
  if (order !== 'relevance') {
    return db`array(select audio_clip_id from ${rows} h ${orderMatches(db, slice)} offset ${offset} limit ${limit})`;
  }
  const isRanked = db`(age <= ${limits.mostRanked} or ${areAll})`;
  return db`array(
    select h.audio_clip_id from (
      select *, row_number() over (order by start_ms desc, audio_clip_id desc) as age from ${rows} h) h
    left join lateral (select h.text where ${isRanked}) s on true
    order by ${relevance(db, db`s.text`, terms)} desc nulls last, start_ms desc, audio_clip_id desc
    offset ${offset} limit ${limit})`;
}
