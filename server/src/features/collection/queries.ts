import type { Collection, CollectionUpdate, CreateCollection } from '@earshot/contract/collection';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionRight } from '../access/rules.ts';

const collectionColumns = (db: Db): Fragment => db`
  c.key, c.user_id as "userID", c.collection_name as "collectionName",
  c.collection_description as "collectionDescription", c.member_access as "memberAccess",
  c.creation_date as "creationDate", c.created_by as "createdBy",
  c.last_modified_date as "lastModifiedDate", c.last_modified_by as "lastModifiedBy"`;

export async function findCollection(db: Db, caller: Caller, collectionID: number): Promise<Collection | undefined> {
  const [row] = await db<Collection[]>`
    select ${collectionColumns(db)} from collections c
    where c.key = ${collectionID} and ${collectionRight(db, caller, 'read')}`;
  return row;
}

export async function listCollections(db: Db, caller: Caller): Promise<Collection[]> {
  return db<Collection[]>`
    select ${collectionColumns(db)} from collections c where ${collectionRight(db, caller, 'read')}
    order by c.creation_date desc, c.key desc`;
}

export async function insertCollection(db: Db, caller: Caller, given: CreateCollection): Promise<Collection> {
  const [row] = await db<Collection[]>`
    insert into collections as c (user_id, collection_name, collection_description, member_access, created_by)
    values (${caller.userID}, ${given.collectionName}, ${given.collectionDescription ?? null},
      ${given.memberAccess ?? 'read'}, ${caller.userID})
    returning ${collectionColumns(db)}`;
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
    update collections set last_modified_date = now(), last_modified_by = ${caller.userID} ${changedColumns(db, {
      collection_name: update.collectionName,
      collection_description: update.collectionDescription,
      member_access: update.memberAccess,
    })} where key = ${collectionID}`;
}

export async function lockMemberAccess(tx: Db, collectionID: number): Promise<string | undefined> {
  const [row] = await tx<{ memberAccess: string }[]>`
    select member_access as "memberAccess" from collections where key = ${collectionID} for update`;
  return row?.memberAccess;
}

export async function removeCollection(db: Db, collectionID: number): Promise<void> {
  await db`delete from collections where key = ${collectionID}`;
}
