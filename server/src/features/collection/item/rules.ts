import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import type { AddedItems, AddItems } from '@earshot/contract/collection-page';
import { forbidden, notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { explainDenial, findReadable, requireCollection, requireDevice, requireFile } from '../../../access.ts';
import { recordAct } from '../../audit/public.ts';
import type { Placement } from './queries.ts';
import {
  findItem,
  findPeopleAmong,
  findReadableFiles,
  insertItem,
  insertItems,
  listItems,
  placeItemAgain,
  removeItem,
} from './queries.ts';
import { requireUser } from '../../user/public.ts';

export async function readItem(db: Db, caller: Caller, itemID: number): Promise<CollectionItem> {
  const item = await findItem(db, caller, itemID);
  if (!item) throw notFound('collection item', itemID);
  return item;
}

/** Needs write access to the collection, and read access to the device or file. */
export function addItem(db: Pool, caller: Caller, place: Placement): Promise<CollectionItem> {
  return inTransaction(db, async (tx) => {
    await requireCollection(tx, caller, 'write', place.collectionID);
    await requireReadable[place.itemType](tx, caller, place.itemID);
    const itemID = (await insertItem(tx, caller, place)) ?? (await placeItemAgain(tx, caller, place));
    if (itemID === undefined) throw notFound(place.itemType, place.itemID);
    const acted = { recordID: place.collectionID, [itemKeys[place.itemType]]: place.itemID };
    await recordAct(tx, caller, 'item-shared', acted);
    return readItem(tx, caller, itemID);
  });
}

/** Adds what the caller may read, and names the rest. */
export function addManyItems(db: Pool, caller: Caller, collectionID: number, given: AddItems): Promise<AddedItems> {
  const { itemType } = given;
  const itemIDs = [...new Set(given.itemIDs)];
  return inTransaction(db, async (tx) => {
    await requireCollection(tx, caller, 'write', collectionID);
    const known = new Set(await findKnown[itemType](tx, caller, itemIDs));
    const readable = itemIDs.filter((key) => known.has(key));
    const added = new Set(await insertItems(tx, caller, collectionID, itemType, readable));
    for (const itemID of readable) {
      if (!added.has(itemID)) await placeItemAgain(tx, caller, { collectionID, itemType, itemID });
      await recordAct(tx, caller, 'item-shared', { recordID: collectionID, [itemKeys[itemType]]: itemID });
    }
    return { addedCount: added.size, unknownIDs: itemIDs.filter((key) => !known.has(key)) };
  });
}

type FindKnown = (db: Db, caller: Caller, keys: readonly number[]) => Promise<Iterable<number>>;

const findKnown: Record<ItemType, FindKnown> = {
  device: async (db, caller, keys) => (await findReadable(db, caller, keys, [])).devices,
  file: findReadableFiles,
  user: (db, _caller, keys) => findPeopleAmong(db, keys),
};

/** The fields of the audit trail in which the keys of items are. */
const itemKeys = { device: 'deviceID', file: 'fileID', user: 'personID' } as const satisfies Record<ItemType, string>;

const requireReadable: Record<ItemType, (db: Db, caller: Caller, key: number) => Promise<void>> = {
  device: (db, caller, key) => requireDevice(db, caller, 'read', key),
  file: (db, caller, key) => requireFile(db, caller, 'read', key),
  user: (db, _caller, key) => requireUser(db, key),
};

export async function deleteItem(db: Pool, caller: Caller, itemID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const removed = await removeItem(tx, caller, itemID);
    if (!removed) {
      await readItem(tx, caller, itemID);
      throw forbidden(explainDenial('collection', 'write'));
    }
    await recordAct(tx, caller, 'item-unshared', removed);
  });
}

export async function listItemsOf(db: Db, caller: Caller, collectionID: number): Promise<CollectionItem[]> {
  await requireCollection(db, caller, 'read', collectionID);
  return listItems(db, caller, collectionID);
}
