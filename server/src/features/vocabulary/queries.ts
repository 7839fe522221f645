import type { NewTerms, VocabularyTerm } from '@earshot/contract/vocabulary';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionRight } from '../access/public.ts';

/** The key of a collection, or null for the installation. */
export type TermScope = number | null;

const termColumns = (db: Db): Fragment => db`
  t.key, t.collection_id as "collectionID", t.term, t.spoken_as as "spokenAs", t.creation_date as "creationDate",
  t.created_by as "createdBy", t.last_modified_date as "lastModifiedDate", t.last_modified_by as "lastModifiedBy"`;

const isOf = (db: Db, scope: TermScope): Fragment => db`coalesce(t.collection_id, 0) = ${scope ?? 0}`;

export const listTerms = (db: Db, scope: TermScope): Promise<VocabularyTerm[]> => db<VocabularyTerm[]>`
  select ${termColumns(db)} from vocabulary_terms t where ${isOf(db, scope)} order by lower(t.term)`;

/** An arbitrary constant, because the installation has no row that could be locked. */
const installationLock = 0x76_6f_63_61;

/** One change of a vocabulary at a time, so that its size is counted exactly. */
export async function lockScope(tx: Db, scope: TermScope): Promise<void> {
  if (scope === null) await tx`select pg_advisory_xact_lock(${installationLock})`;
  else await tx`select 1 from collections where key = ${scope} for no key update`;
}

/** The collection may have been removed meanwhile; then nothing is written. */
export async function putTerms(tx: Db, { userID }: Caller, scope: TermScope, terms: NewTerms['terms']): Promise<void> {
  const given = terms.map(({ term, spokenAs = [] }) => ({ term, spokenAs }));
  await tx`
    insert into vocabulary_terms as t (collection_id, term, spoken_as, created_by)
    select ${scope}::bigint, g.term, g."spokenAs", ${userID}
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as g (term text, "spokenAs" jsonb)
    where ${scope}::bigint is null or exists (select 1 from collections c where c.key = ${scope}::bigint)
    on conflict (coalesce(collection_id, 0), lower(term)) do update set term = excluded.term,
      spoken_as = excluded.spoken_as, last_modified_date = now(), last_modified_by = ${userID}`;
}

export async function removeTerms(tx: Db, scope: TermScope, terms: readonly string[]): Promise<void> {
  await tx`
    delete from vocabulary_terms t where ${isOf(tx, scope)}
      and lower(t.term) in (select lower(n) from unnest(${terms as string[]}::text[]) n)`;
}

export async function countTerms(tx: Db, scope: TermScope): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from vocabulary_terms t where ${isOf(tx, scope)}`;
  return row?.count ?? 0;
}

/**
 * The terms for a device: those of the installation, and those of the collections that give access to it. A bookmark gives
 * none: nobody may change the captions of a device that is not shared by its owner.
 */
export async function findTermsForDevice(db: Db, deviceID: number, most: number): Promise<readonly string[]> {
  const rows = await db<{ term: string }[]>`
    select t.term from vocabulary_terms t where coalesce(t.collection_id, 0) = any(
      array(select 0::bigint union all
        select i.collection_id from collection_items i join devices d on d.key = i.device_id
        where i.device_id = ${deviceID} and (i.placed_by_admin or i.user_id = d.user_id)))
    order by t.collection_id nulls last, t.key desc limit ${most}`;
  return [...new Set(rows.map(({ term }) => term))];
}

/** The terms and forms of the vocabularies that the caller may read in which the given text is a term or a form. */
export async function findForms(db: Db, caller: Caller, text: string): Promise<readonly (readonly string[])[]> {
  const folded = text.toLowerCase();
  const readable = db`(t.collection_id is null or exists (
    select 1 from collections c where c.key = t.collection_id and ${collectionRight(db, caller, 'read')}))`;
  const rows = await db<{ term: string; spokenAs: readonly string[] }[]>`
    select t.term, t.spoken_as as "spokenAs" from vocabulary_terms t
    where (lower(t.term) = ${folded} or exists (
      select 1 from jsonb_array_elements_text(t.spoken_as) s where lower(s) = ${folded})) and ${readable}`;
  return rows.map(({ term, spokenAs }) => [term, ...spokenAs]);
}
