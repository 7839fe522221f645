import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Pattern, SearchTerm } from '@earshot/contract/words/public';
import { asWholeWords, comparedPhrases, expressionOf, partsOfPattern } from '@earshot/contract/words/public';
import { numberArray } from '../../platform/database/number-array.ts';
import { gramLists, mostParts } from './rules.ts';

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
  const isFixed = ({ variants, patterns }: SearchTerm) => variants.length === 0 && patterns.length === 0;
  const fixed = terms.filter(isFixed).flatMap(comparedPhrases);
  const flexible = terms.filter((term) => !isFixed(term));
  return flexible.reduce(
    (before, term) =>
      db`${before} and (${hasEvery(db, text, comparedPhrases(term))} or ${containsVariant(db, text, term)})`,
    hasEvery(db, text, fixed),
  );
}

/** Whether a text of caption_search contains a variant of the term. */
export const containsVariant = (db: Db, text: Fragment, { variants, patterns }: SearchTerm): Fragment =>
  patterns
    .map((pattern) => containsPattern(db, text, pattern))
    .reduce((before, next) => db`${before} or ${next}`, containsWords(db, text, variants));

/**
 * An expression takes about eight times as long as a part, so parts decide first whether it can match. A function, because the
 * planner would estimate `~`.
 */
const containsPattern = (db: Db, text: Fragment, pattern: Pattern): Fragment =>
  db`((${containsWords(db, text, partsOfPattern(pattern, mostParts))}) and regexp_like(${text}, ${expressionOf(pattern)}))`;

/**
 * Whether a text of caption_search with these grams may match all terms; uses the index of grams. Texts that match `known`,
 * the same terms with fewer variants, may be left out.
 */
export const mayContain = (
  db: Db,
  grams: Fragment,
  terms: readonly SearchTerm[],
  known?: readonly SearchTerm[],
): Fragment =>
  gramLists(terms, known)
    .map((list) => db`${grams} @> ${numberArray(list)}::integer[]`)
    .reduce((before, next) => db`${before} or ${next}`);

/** Whether a text of caption_search contains one of these as whole words. */
export const containsWords = (db: Db, text: Fragment, some: readonly string[]): Fragment =>
  hasSome(db, text, some.map(asWholeWords));

/** Whether a text of caption_search contains all of these as whole words. */
export const containsAllWords = (db: Db, text: Fragment, all: readonly string[]): Fragment =>
  hasEvery(db, text, all.map(asWholeWords));

/** The same condition for the clip with this key. A scalar subquery, which cannot become a join with the whole table. */
export const transcriptContains = (db: Db, clipID: Fragment, terms: readonly SearchTerm[]): Fragment =>
  db`(select ${contains(db, db`said.text`, terms)} from caption_search said where said.audio_clip_id = ${clipID})`;
