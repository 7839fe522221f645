import { gramsOf, gramsOfEdge } from './grams.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { SpokenCaption } from './index-queries.ts';
import type { SearchTerm } from '@earshot/contract/search-terms';
import type { Breadth } from '@earshot/contract/search-similar';
import { asWholeWords, readTerms } from '@earshot/contract/search-terms';
import { comparable, readWords } from '@earshot/contract/search-words';
import { numberArray } from '../../platform/database/number-array.ts';
import { invalidField } from '../../errors.ts';
import { findKnownTerms } from './known-terms.ts';
import type { FindForms } from './vocabulary-forms.ts';
import { chooseGrams, listGrams } from './rules.ts';
import { hasEvery, hasSome } from './text-parts.ts';
import { keysOfWord, listedWords } from './words.ts';

/**
 * Indexes the transcript for the search, in the transaction that writes or corrects it. The row is removed with its
 * caption, and moved with its clip.
 */
export async function indexCaption(tx: Db, { clipID, transcript }: SpokenCaption): Promise<void> {
  const text = comparable(readWords(transcript));
  const words = listedWords(text);
  const keys = words.map((word) => numberArray(keysOfWord(word)));
  // Locked until the transaction ends: a concurrent change of the clip's start either has committed or runs after this.
  await tx`
    with listed as (
      insert into caption_words (word, keys)
      select word, keys::integer[] from unnest(${words}::text[], ${keys}::text[]) n (word, keys) order by word
      on conflict do nothing)
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select c.key, c.device_id, c.start_ms, ${text}, ${numberArray(gramsOf(text))}::integer[]
    from (select key, device_id, start_ms from audio_clips where key = ${clipID} for share) c
    on conflict (audio_clip_id) do update set text = excluded.text, grams = excluded.grams, start_ms = excluded.start_ms`;
}

/** The terms of a search text. */
export function requireTerms(searchText: string, path = 'searchText'): readonly SearchTerm[] {
  const terms = readTerms(searchText);
  if (terms.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return terms;
}

/** The terms of a search, reduced to variants that occur in transcripts. */
export interface KnownTerms {
  readonly terms: readonly SearchTerm[];
  /** Undefined if there are no similar words. */
  readonly findSimilar: (breadth: Breadth) => SimilarTerms | undefined;
}

/** The terms of a search for its second choice. */
export interface SimilarTerms {
  /** Like the terms of the search. Adjacent ones that are an entry of a vocabulary are one term. */
  readonly terms: readonly SearchTerm[];
  /** The same terms with similar words, and forms from vocabularies, as further variants. */
  readonly extended: readonly SearchTerm[];
  /** The forms from vocabularies. */
  readonly forms: readonly string[];
}

/** The same, with the variants, similar words and forms that occur in transcripts. */
export const findTerms = (db: Db, searchText: string, findForms?: FindForms): Promise<KnownTerms> =>
  findKnownTerms(db, requireTerms(searchText), findForms);

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

/**
 * Lists of grams: a text that matches all terms has all grams of at least one list. If `known` is given, the texts that
 * match those terms, with fewer variants each, are not looked for.
 */
export const gramLists = (terms: readonly SearchTerm[], known?: readonly SearchTerm[]) => listGrams(terms, known);

/** The grams of a text that begins, or ends, with these words. */
export const edgeGrams = (words: string, edge: 'start' | 'end'): number[] => chooseGrams(gramsOfEdge(words, edge));

/** Updates the index for clips whose start has changed; the rows have `key` and `start_ms`. */
export const moveIndexed = (db: Db, clips: Fragment): Fragment => db`
  update caption_search said set start_ms = moved.start_ms from ${clips} moved where said.audio_clip_id = moved.key`;
