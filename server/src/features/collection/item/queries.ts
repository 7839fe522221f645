import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import { itemTypes } from '@earshot/contract/collection-item';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { fileOwner, fileRight, itemRight } from '../../../access.ts';
import type { LoggedRows } from '../../../platform/changes/record-changes.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';

const itemColumns = (db: Db): Fragment => db`
  i.key, i.collection_id as "collectionID", i.user_id as "userID",
  case when i.device_id is not null then ${typeID('device')}::int
    when i.member_id is not null then ${typeID('user')}::int
    else ${typeID('file')}::int end as "itemTypeID",
  coalesce(i.device_id, i.member_id, i.file_id) as "itemID",
  i.creation_date as "creationDate", i.created_by as "createdBy",
  i.last_modified_date as "lastModifiedDate", i.last_modified_by as "lastModifiedBy"`;

const typeID = (type: ItemType): number => itemTypes.indexOf(type) + 1;

const items = (db: Db): Fragment => db`
  collection_items i join collections c on c.key = i.collection_id
  left join devices d on d.key = i.device_id
  left join files f on f.key = i.file_id`;

export async function findItem(db: Db, caller: Caller, itemID: number): Promise<CollectionItem | undefined> {
  const [row] = await db<CollectionItem[]>`
    select ${itemColumns(db)} from ${items(db)} where i.key = ${itemID} and ${itemRight(db, caller, 'read')}`;
  return row;
}

export async function listItems(db: Db, caller: Caller, collectionID?: number): Promise<CollectionItem[]> {
  const only = collectionID === undefined ? db`` : db`and i.collection_id = ${collectionID}`;
  return db<CollectionItem[]>`
    select ${itemColumns(db)} from ${items(db)} where ${itemRight(db, caller, 'read')} ${only}
    order by i.creation_date desc, i.key desc`;
}

/** Placing or removing an item counts as a change of the collection. */
const collectionOf = (db: Db, source: Fragment): LoggedRows => ({
  kind: 'collection',
  change: 'changed',
  rows: db`(select collection_id as key, null::bigint as device_id from ${source} x)`,
});

/** A member who is removed from a collection can no longer read it: for that member it is recorded as removed. */
const leftCollection = (db: Db, source: Fragment): LoggedRows => ({
  kind: 'collection',
  change: 'removed',
  rows: db`(select collection_id as key, null::bigint as device_id, member_id from ${source} x where member_id is not null)`,
  readers: db`array[r.member_id]`,
});

export interface Placement {
  readonly collectionID: number;
  readonly itemType: ItemType;
  readonly itemID: number;
}

const itemColumn = { device: 'device_id', user: 'member_id', file: 'file_id' } as const satisfies Record<
  ItemType,
  string
>;

/** The keys among the given ones of people. */
export async function findPeopleAmong(db: Db, keys: readonly number[]): Promise<number[]> {
  const rows = await db<{ key: number }[]>`select key from users where key = any(${keys as number[]}::bigint[])`;
  return rows.map(({ key }) => key);
}

/** The keys among the given ones of files that the caller may read. */
export async function findReadableFiles(db: Db, caller: Caller, keys: readonly number[]): Promise<number[]> {
  const rows = await db<{ key: number }[]>`
    select f.key from files f where f.key = any(${keys as number[]}::bigint[]) and ${fileRight(db, caller, 'read')}`;
  return rows.map(({ key }) => key);
}

/** Returns the keys of what was not in the collection before. */
export async function insertItems(
  db: Db,
  caller: Caller,
  collectionID: number,
  itemType: ItemType,
  itemIDs: readonly number[],
): Promise<number[]> {
  const column = db(itemColumn[itemType]);
  const rows = await db<{ itemID: number }[]>`
    with placed as (
      insert into collection_items (collection_id, ${column}, user_id, placed_by_admin, created_by)
      select ${collectionID}, n.key, ${caller.userID}::bigint, ${caller.role === 'admin'}, ${caller.userID}::bigint
      from unnest(${itemIDs as number[]}::bigint[]) n (key) order by n.key
      on conflict do nothing
      returning ${column} as item_id, collection_id),
    logged as (${recordChanges(db, collectionOf(db, db`(select distinct collection_id from placed)`))})
    select item_id as "itemID" from placed`;
  return rows.map(({ itemID }) => itemID);
}

/** Returns undefined if the item exists. */
export async function insertItem(db: Db, caller: Caller, place: Placement): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with placed as (
      insert into collection_items (collection_id, ${db(itemColumn[place.itemType])}, user_id, placed_by_admin, created_by)
      values (${place.collectionID}, ${place.itemID}, ${caller.userID}, ${caller.role === 'admin'}, ${caller.userID})
      on conflict do nothing
      returning key, collection_id),
    logged as (${recordChanges(db, collectionOf(db, db`placed`))})
    select key from placed`;
  return row?.key;
}

/**
 * Returns the existing item. If the owner of the device or file, or an admin, places it again, it becomes that person's
 * and gives access; for anybody else nothing changes.
 */
export async function placeItemAgain(db: Db, caller: Caller, place: Placement): Promise<number | undefined> {
  const isAdmin = caller.role === 'admin';
  const column = db(itemColumn[place.itemType]);
  const owns = db`(
    exists (select 1 from devices d where d.key = i.device_id and d.user_id = ${caller.userID})
    or exists (select 1 from files f where f.key = i.file_id and ${fileOwner(db)} = ${caller.userID}))`;
  await db`
    with placed as (
      update collection_items i set user_id = ${caller.userID}, placed_by_admin = ${isAdmin},
        last_modified_date = now(), last_modified_by = ${caller.userID}
      where i.collection_id = ${place.collectionID} and i.${column} = ${place.itemID}
        and not i.placed_by_admin and i.user_id is distinct from ${caller.userID} and (${isAdmin} or ${owns})
      returning i.collection_id)
    ${recordChanges(db, collectionOf(db, db`placed`))}`;
  const [row] = await db<{ key: number }[]>`
    select key from collection_items where collection_id = ${place.collectionID} and ${column} = ${place.itemID}`;
  return row?.key;
}

export interface RemovedItem {
  readonly recordID: number;
  readonly deviceID: number | null;
  readonly personID: number | null;
  readonly fileID: number | null;
}

/** Returns the collection and what the item contained, or undefined if the caller may not remove it. */
export async function removeItem(db: Db, caller: Caller, itemID: number): Promise<RemovedItem | undefined> {
  const [row] = await db<RemovedItem[]>`
    with gone as (
      delete from collection_items where key = (
        select i.key from ${items(db)} where i.key = ${itemID} and ${itemRight(db, caller, 'write')})
      returning collection_id, member_id, device_id, file_id),
    logged as (${recordChanges(db, collectionOf(db, db`gone`), leftCollection(db, db`gone`))})
    select collection_id as "recordID", device_id as "deviceID", member_id as "personID", file_id as "fileID" from gone`;
  return row;
}

/** The items that contain the device or one of its files. */
export const lockItemsOfDevice = (tx: Db, deviceID: number): Promise<unknown> => tx`
  select 1 from collection_items i
  where i.device_id = ${deviceID} or i.file_id in (select f.key from files f where f.device_id = ${deviceID})
  order by i.key for update`;
