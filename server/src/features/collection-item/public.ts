import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CollectionItem } from '@earshot/contract/collection-item';
import { requireCollection } from '../../access.ts';
import { listItems } from './queries.ts';

export async function listItemsOf(db: Db, caller: Caller, collectionID: number): Promise<CollectionItem[]> {
  await requireCollection(db, caller, 'read', collectionID);
  return listItems(db, caller, collectionID);
}
