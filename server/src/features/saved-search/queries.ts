import type { CaptionSearch } from '@earshot/contract/caption-search';
import type { SavedSearch } from '@earshot/contract/saved-search';
import { mostSavedSearches } from '@earshot/contract/saved-search';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

const searchColumns = (db: Db): Fragment => db`
  s.key, s.user_id as "userID", s.search_name as "searchName", s.search, s.creation_date as "creationDate",
  s.created_by as "createdBy", s.last_modified_date as "lastModifiedDate", s.last_modified_by as "lastModifiedBy"`;

/** People can access only their own saved searches, whatever their role. */
const isOwn = (db: Db, { userID }: Caller): Fragment => db`s.user_id = ${userID}`;

export async function listSearches(db: Db, caller: Caller): Promise<SavedSearch[]> {
  return db<SavedSearch[]>`
    select ${searchColumns(db)} from saved_searches s where ${isOwn(db, caller)}
    order by s.creation_date desc, s.key desc`;
}

export async function findSearch(db: Db, caller: Caller, key: number): Promise<SavedSearch | undefined> {
  const [row] = await db<SavedSearch[]>`
    select ${searchColumns(db)} from saved_searches s where s.key = ${key} and ${isOwn(db, caller)}`;
  return row;
}

/** Undefined if the limit is reached. Two concurrent requests may exceed it by one. */
export async function insertSearch(
  db: Db,
  { userID }: Caller,
  name: string,
  search: CaptionSearch,
): Promise<SavedSearch | undefined> {
  const [row] = await db<SavedSearch[]>`
    insert into saved_searches as s (user_id, search_name, search, created_by)
    select ${userID}, ${name}, ${JSON.stringify(search)}::text::jsonb, ${userID}
    where (select count(*) from saved_searches where user_id = ${userID}) < ${mostSavedSearches}
    returning ${searchColumns(db)}`;
  return row;
}

export async function updateSearch(
  db: Db,
  caller: Caller,
  key: number,
  name: string | undefined,
  search: CaptionSearch | undefined,
): Promise<boolean> {
  const searched = search ? db`, search = ${JSON.stringify(search)}::text::jsonb` : db``;
  const rows = await db`
    update saved_searches s set last_modified_date = now(), last_modified_by = ${caller.userID}
      ${changedColumns(db, { search_name: name })} ${searched}
    where s.key = ${key} and ${isOwn(db, caller)} returning 1`;
  return rows.length === 1;
}

export async function removeSearch(db: Db, caller: Caller, key: number): Promise<boolean> {
  const rows = await db`delete from saved_searches s where s.key = ${key} and ${isOwn(db, caller)} returning 1`;
  return rows.length === 1;
}
