import type { CaptionSearch } from '@earshot/contract/caption-search';
import type { CreateSavedSearch, SavedSearch, SavedSearchUpdate } from '@earshot/contract/saved-search';
import { mostSavedSearches } from '@earshot/contract/saved-search';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findSearch, insertSearch, removeSearch, updateSearch } from './queries.ts';
import { requireTerms } from '../caption-index/public.ts';

/** Rejects a search that could never be run. */
function requireSearch({
  searchText,
  wholeWords,
  deviceIDList,
  tagIDList,
  talkgroup,
  startEpoch,
  endEpoch,
}: CaptionSearch): CaptionSearch {
  requireTerms(searchText, 'search.searchText');
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) {
    throw invalidField('search.endEpoch', 'must not be before startEpoch');
  }
  // Fields that the contract does not declare are not stored.
  return {
    searchText,
    ...(wholeWords ? { wholeWords } : {}),
    ...(deviceIDList ? { deviceIDList } : {}),
    ...(tagIDList ? { tagIDList } : {}),
    ...(talkgroup === undefined ? {} : { talkgroup }),
    ...(startEpoch === undefined ? {} : { startEpoch }),
    ...(endEpoch === undefined ? {} : { endEpoch }),
  };
}

export async function saveSearch(
  db: Db,
  caller: Caller,
  { searchName, search }: CreateSavedSearch,
): Promise<SavedSearch> {
  const saved = await insertSearch(db, caller, searchName, requireSearch(search));
  if (!saved) throw conflict(`You have ${mostSavedSearches} saved searches, the limit; remove one first.`);
  return saved;
}

export async function readSearch(db: Db, caller: Caller, savedSearchID: number): Promise<SavedSearch> {
  const search = await findSearch(db, caller, savedSearchID);
  if (!search) throw notFound('saved search', savedSearchID);
  return search;
}

export async function changeSearch(db: Db, caller: Caller, savedSearchID: number, update: SavedSearchUpdate) {
  const search = update.search && requireSearch(update.search);
  const isThere = await updateSearch(db, caller, savedSearchID, update.searchName, search);
  if (!isThere) throw notFound('saved search', savedSearchID);
}

export async function deleteSearch(db: Db, caller: Caller, savedSearchID: number): Promise<void> {
  if (!(await removeSearch(db, caller, savedSearchID))) throw notFound('saved search', savedSearchID);
}
