import type { Collection, CollectionUpdate, CreateCollection } from '@earshot/contract/collection';
import type { CollectionRow } from '@earshot/contract/collection-page';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionReaders, collectionRight, itemRight } from '../../access.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';

const collectionColumns = (db: Db): Fragment => db`
  c.key, c.user_id as "userID", c.collection_name as "collectionName",
  c.collection_description as "collectionDescription", c.member_access as "memberAccess",
  c.creation_date as "creationDate", c.created_by as "createdBy",
  c.last_modified_date as "lastModifiedDate", c.last_modified_by as "lastModifiedBy"`;

const withoutDevice = (db: Db, rows: Fragment): Fragment => db`(select key, null::bigint as device_id from ${rows} x)`;

export async function findCollection(db: Db, caller: Caller, collectionID: number): Promise<Collection | undefined> {
  const [row] = await db<Collection[]>`
    select ${collectionColumns(db)} from collections c
    where c.key = ${collectionID} and ${collectionRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which checks separately what each listener may read. */
export async function findCollectionsByKey(db: Db, keys: readonly number[]): Promise<Collection[]> {
  return db<Collection[]>`
    select ${collectionColumns(db)} from collections c where c.key = any(${keys as number[]}::bigint[])`;
}

export async function findCollections(db: Db, caller: Caller): Promise<Collection[]> {
  return db<Collection[]>`
    select ${collectionColumns(db)} from collections c where ${collectionRight(db, caller, 'read')}
    order by c.creation_date desc, c.key desc`;
}

/** Of the items, those that the caller may see. */
export async function findCollectionCounts(db: Db, caller: Caller): Promise<CollectionRow[]> {
  return db<CollectionRow[]>`
    with readable as materialized (select c.* from collections c where ${collectionRight(db, caller, 'read')}),
    counted as (
      select i.collection_id, count(i.device_id)::int as devices, count(i.member_id)::int as people,
        count(i.file_id)::int as files
      from readable c join collection_items i on i.collection_id = c.key left join devices d on d.key = i.device_id
      left join files f on f.key = i.file_id
      where ${itemRight(db, caller, 'read')} group by i.collection_id)
    select ${collectionColumns(db)}, coalesce(n.devices, 0) as "deviceCount", coalesce(n.people, 0) as "personCount",
      coalesce(n.files, 0) as "fileCount"
    from readable c left join counted n on n.collection_id = c.key order by c.creation_date desc, c.key desc`;
}

export async function insertCollection(db: Db, caller: Caller, given: CreateCollection): Promise<Collection> {
  const [row] = await db<Collection[]>`
    with added as (
      insert into collections (user_id, collection_name, collection_description, member_access, created_by)
      values (${caller.userID}, ${given.collectionName}, ${given.collectionDescription ?? null},
        ${given.memberAccess ?? 'read'}, ${caller.userID})
      returning *),
    logged as (${recordChanges(db, { kind: 'collection', change: 'created', rows: withoutDevice(db, db`added`) })})
    select ${collectionColumns(db)} from added c`;
  if (!row) throw new Error('an inserted collection was not returned');
  return row;
}

export async function changeCollection(
  db: Db,
  caller: Caller,
  collectionID: number,
  update: CollectionUpdate,
): Promise<void> {
  await db`
    with changed as (
      update collections set last_modified_date = now(), last_modified_by = ${caller.userID} ${changedColumns(db, {
        collection_name: update.collectionName,
        collection_description: update.collectionDescription,
        member_access: update.memberAccess,
      })} where key = ${collectionID} returning key)
    ${recordChanges(db, { kind: 'collection', change: 'changed', rows: withoutDevice(db, db`changed`) })}`;
}

export async function lockMemberAccess(tx: Db, collectionID: number): Promise<string | undefined> {
  const [row] = await tx<{ memberAccess: string }[]>`
    select member_access as "memberAccess" from collections where key = ${collectionID} for no key update`;
  return row?.memberAccess;
}

export async function removeCollection(db: Db, collectionID: number): Promise<void> {
  const rows = db`(select key, readers, null::bigint as device_id from gone)`;
  // Locks in the order of docs/decisions/0020.
  await db`select 1 from collections where key = ${collectionID} for update`;
  await db`select 1 from collection_items where collection_id = ${collectionID} order by key for update`;
  await db`select 1 from event_presets where device_group_id = ${collectionID} order by key for update`;
  await db`
    with gone as (
      delete from collections c where c.key = ${collectionID} returning c.key, ${collectionReaders(db)} as readers)
    ${recordChanges(db, { kind: 'collection', change: 'removed', rows, readers: db`r.readers` })}`;
}
