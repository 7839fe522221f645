import type { CollectionItemPage, CollectionItemPageFilter } from '@earshot/contract/collection-page';
import { defaultCount } from '@earshot/contract/values';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { makeSortedPage, readSortPlace } from '../../../platform/sorted-page.ts';
import { requireCollection } from '../../../access.ts';
import { countItems, findItemRows, itemSortValues } from './page-queries.ts';

export async function findItemPage(
  db: Pool,
  caller: Caller,
  collectionID: number,
  given: CollectionItemPageFilter,
): Promise<CollectionItemPage> {
  const { sortBy: sort = 'itemName', cursor } = given;
  const count = given.count || defaultCount;
  const after = cursor === undefined ? undefined : readSortPlace(cursor, sort, itemSortValues(db)[sort].kind);
  const ascending = given.order?.toLowerCase() !== 'desc';
  await requireCollection(db, caller, 'read', collectionID);
  const [rows, found] = await Promise.all([
    findItemRows(db, caller, collectionID, { given, sort, ascending, after, limit: count + 1 }),
    countItems(db, caller, collectionID, given),
  ]);
  return makeSortedPage(sort, count, found, rows, (row) => row);
}
