import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { SearchTerm } from '@earshot/contract/search-terms';
import { asWholeWords } from '@earshot/contract/search-terms';

/*
 * Conditions on the texts of caption_search. `strpos` finds a part in a text several times faster than LIKE. The planner
 * also estimates how many texts match a LIKE pattern, by comparing it with a sample of them, which took longer than most
 * searches for a number with many forms.
 *
 * The number of conditions is a power of two, so that few different statements have to be prepared.
 */

const padded = <Part>(parts: readonly Part[], filler: Part): readonly Part[] => {
  const size = parts.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(parts.length));
  return [...parts, ...Array.from({ length: size - parts.length }, () => filler)];
};

/** Whether a text has all of these parts. Long parts are rarer, so they decide first. Every text has an empty part. */
export const hasEvery = (db: Db, text: Fragment, parts: readonly string[]): Fragment =>
  padded(
    parts.toSorted((one, other) => other.length - one.length),
    '',
  )
    .map((part) => db`strpos(${text}, ${part}) > 0`)
    .reduce((before, next) => db`${before} and ${next}`, db`true`);

/** Whether a text has one of these parts. The planner removes a condition without a part. */
export const hasSome = (db: Db, text: Fragment, parts: readonly string[]): Fragment =>
  padded<string | null>(parts, null)
    .map((part) => db`(strpos(${text}, ${part}) > 0) is true`)
    .reduce((before, next) => db`${before} or ${next}`, db`false`);

/** Whether a text of caption_search matches all terms. All searches use this condition. */
export function contains(db: Db, text: Fragment, terms: readonly SearchTerm[]): Fragment {
  const fixed = terms.filter(({ variants }) => variants.length === 0).flatMap(({ phrases }) => phrases);
  const flexible = terms.filter(({ variants }) => variants.length > 0);
  return flexible.reduce(
    (before, { phrases, variants }) =>
      db`${before} and (${hasEvery(db, text, phrases)} or ${containsWords(db, text, variants)})`,
    hasEvery(db, text, fixed),
  );
}

/** Whether a text of caption_search contains one of these as whole words. */
export const containsWords = (db: Db, text: Fragment, some: readonly string[]): Fragment =>
  hasSome(db, text, some.map(asWholeWords));

/** Whether a text of caption_search contains all of these as whole words. */
export const containsAllWords = (db: Db, text: Fragment, all: readonly string[]): Fragment =>
  hasEvery(db, text, all.map(asWholeWords));

/** The same condition for the clip with this key. A scalar subquery, which cannot become a join with the whole table. */
export const transcriptContains = (db: Db, clipID: Fragment, terms: readonly SearchTerm[]): Fragment =>
  db`(select ${contains(db, db`said.text`, terms)} from caption_search said where said.audio_clip_id = ${clipID})`;
