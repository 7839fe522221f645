import type { CollectionItemPage, CollectionItemPageFilter } from '@earshot/contract/collection-page';
import { itemSorts } from '@earshot/contract/collection-page';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findPage } from '../../../platform/table.ts';
import { requireCollection } from '../../../access.ts';
import { countItems, findItemRows, itemSortValues } from './page-queries.ts';

export async function findItemPage(
  db: Pool,
  caller: Caller,
  collectionID: number,
  given: CollectionItemPageFilter,
): Promise<CollectionItemPage> {
  await requireCollection(db, caller, 'read', collectionID);
  return findPage(given, itemSorts, itemSortValues(db), {
    findRows: (sort, place) => findItemRows(db, caller, collectionID, { given, sort, ...place }),
    countRows: () => countItems(db, caller, collectionID, given),
  });
}
