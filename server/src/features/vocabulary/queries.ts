import type { NewTerms, VocabularyTerm } from '@earshot/contract/vocabulary';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionRight } from '../../access.ts';

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

/** Signs that are ignored when forms are compared, and accents, which NFKD separates from their letter. */
const ignored = ` -.,;:!?/&+#()'‘’ʼ`;
const accents = '\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328';
/** The vocabularies of this many device groups are read, the newest of them first. */
const mostGroups = 20;
const mostEntries = 20;

/**
 * The entries with one of these keys, in the vocabularies that the caller may read: their term and its forms. A key has
 * letters and digits only. The caller compares again, because an entry that only looks alike may be returned.
 *
 * The forms have no index. At most 500 entries of the installation and of each group are read, and those of groups are
 * returned first.
 */
export async function findEntries(
  db: Db,
  caller: Caller,
  keys: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const all = db`'"' || t.term || '"' || t.spoken_as::text`;
  const folded = db`case when octet_length(${all}) = length(${all}) then translate(lower(${all}), ${ignored}, '')
    else replace(translate(lower(normalize(${all}, nfkd)), ${ignored + accents}, ''), 'ß', 'ss') end`;
  // The scopes that have entries are found one after the other by the index, however many entries each has.
  const rows = await db<{ term: string; spokenAs: readonly string[] }[]>`
    with recursive scopes (key) as (
      (select coalesce(t.collection_id, 0) from vocabulary_terms t order by coalesce(t.collection_id, 0) desc limit 1)
      union all
      select (select coalesce(t.collection_id, 0) from vocabulary_terms t where coalesce(t.collection_id, 0) < s.key
        order by coalesce(t.collection_id, 0) desc limit 1)
      from scopes s where s.key > 0),
    readable as materialized (
      select 0::bigint as key union all (
        select s.key from scopes s where s.key > 0 and exists (
          select 1 from collections c where c.key = s.key and ${collectionRight(db, caller, 'read')})
        limit ${mostGroups}))
    select t.term, t.spoken_as as "spokenAs" from readable r
    cross join lateral (select * from vocabulary_terms t where coalesce(t.collection_id, 0) = r.key offset 0) t
    where t.spoken_as <> '[]' and ${folded} like any(${keys.map((key) => `%"${key}"%`)}::text[])
    order by r.key desc, t.key limit ${mostEntries}`;
  return rows.map(({ term, spokenAs }) => [term, ...spokenAs]);
}
