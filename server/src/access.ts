import type { Right } from '@earshot/contract/operation';
import { forbidden, notFound } from './errors.ts';
import type { Db, Fragment } from './platform/database/connect.ts';
import type { Caller } from './platform/http/caller.ts';

/*
 * What a caller may read and change. Every query on a device, a collection or a file contains one of these conditions,
 * over the aliases d (devices), c (collections) and f (files).
 *
 *   admin                         everything
 *   the owner                     read, write, own
 *   a member of a collection      read the collection, and each device and file that an item of it gives;
 *                                 write them too when the collection's memberAccess is `write`
 *   a person of a team that is    the same
 *   a member of a collection
 *   a device key                  what its owner may do, but only with its one device
 *
 * A file of a device is part of the device: a right to the device is a right to the file, and the owner of the device
 * owns the file; former sound of a clip is for the owner and admins, and for the members of a collection in which one of
 * them placed it, but not for readers of the device. Any other file belongs to the person who created it.
 *
 * An item gives access if an admin placed it, or if the owner of the placed device or file did. Any other item is a
 * bookmark and gives no access: a right that was shared cannot be passed on. The collection's owner counts as a member
 * of it (the owner could add themselves anyway).
 */

/** Whether the caller is the owner or a member of the collection `c`, as a person or through a team. */
const isMember = (db: Db, { userID }: Caller): Fragment => db`
  (c.user_id = ${userID}
    or exists (select 1 from collection_items m where m.member_id = ${userID} and m.collection_id = c.key)
    or exists (
      select 1 from team_people p join collection_teams g on g.team_id = p.team_id
      where p.user_id = ${userID} and g.collection_id = c.key))`;

const memberAccess = (db: Db, right: Right): Fragment => (right === 'read' ? db`` : db`and c.member_access = 'write'`);

/** The items of collections that give the caller the device `d`; a condition may follow. */
const givingItems = (db: Db, caller: Caller): Fragment => db`
  collection_items i join collections c on c.key = i.collection_id
  where i.device_id = d.key and (i.placed_by_admin or i.user_id = d.user_id) and ${isMember(db, caller)}`;

/** The keys of the collections that give the caller the device `d`, as an array. */
export const givingCollections = (db: Db, caller: Caller): Fragment =>
  db`array(select i.collection_id from ${givingItems(db, caller)} order by i.collection_id)`;

export function deviceRight(db: Db, caller: Caller, right: Right): Fragment {
  const scope = caller.deviceID === undefined ? db`` : db`and d.key = ${caller.deviceID}`;
  if (caller.role === 'admin') return db`(d.key is not null ${scope})`;
  if (right === 'own') return db`(d.user_id = ${caller.userID} ${scope})`;
  return db`((d.user_id = ${caller.userID} or exists (
    select 1 from ${givingItems(db, caller)} ${memberAccess(db, right)})) ${scope})`;
}

/**
 * A query for the keys of devices: all that the caller may read, and others that were placed in their collections. Lists
 * use it besides `deviceRight`, so that those of a person with few devices do not look at all of them.
 */
export const possibleDevices = (db: Db, caller: Caller): Fragment => db`
  select o.key from devices o where o.user_id = ${caller.userID}
  union select i.device_id from collections c join collection_items i on i.collection_id = c.key
  where ${isMember(db, caller)} and i.device_id is not null`;

/** Whether the device `d` is one of these. */
export const isPossibleDevice = (db: Db, caller: Caller): Fragment =>
  caller.role === 'admin' ? db`true` : db`d.key in (${possibleDevices(db, caller)})`;

export function fileRight(db: Db, caller: Caller, right: Right): Fragment {
  // A right to the device that somebody shared is no right to its former sound.
  const enough = right === 'own' ? db`` : db`and (not f.is_former or d.user_id = ${caller.userID})`;
  const ofDevice = db`exists (
    select 1 from devices d where d.key = f.device_id and ${deviceRight(db, caller, right)} ${enough})`;
  if (caller.deviceID !== undefined) return db`(not f.is_former and ${ofDevice})`;
  if (caller.role === 'admin') return db`(f.key is not null)`;
  const own = db`(f.device_id is null and f.user_id = ${caller.userID}) or ${ofDevice}`;
  if (right === 'own') return db`(${own})`;
  return db`(${own} or exists (
    select 1 from collection_items i join collections c on c.key = i.collection_id
    where i.file_id = f.key and ${givesFile(db)}
      and ${isMember(db, caller)} ${memberAccess(db, right)}))`;
}

/** Whether the caller asked for the export that the event `e` makes. It gives nothing without the right to read. */
export const isMakerOfEvent = (db: Db, { userID }: Caller): Fragment =>
  db`exists (select 1 from sound_exports x where x.event_id = e.key and x.user_id = ${userID})`;

/** The right to remove the file `f`: the maker of an export may remove its result, and needs only to read it. */
const fileRemovalRight = (db: Db, caller: Caller): Fragment => db`
  (${fileRight(db, caller, 'write')}
    or exists (select 1 from sound_exports x where x.file_id = f.key and x.user_id = ${caller.userID}))`;

/** The owner of the file `f`. */
export const fileOwner = (db: Db): Fragment =>
  db`coalesce((select d.user_id from devices d where d.key = f.device_id), f.user_id)`;

/** Whether the item `i`, which holds the file `f`, gives access to it: it is no bookmark. */
const givesFile = (db: Db): Fragment => db`(i.placed_by_admin or i.user_id = ${fileOwner(db)})`;

/** Whether a collection gives access to the file `f`. Bookmarks keep no file. */
export const isFileShared = (db: Db): Fragment =>
  db`exists (select 1 from collection_items i where i.file_id = f.key and ${givesFile(db)})`;

export function collectionRight(db: Db, caller: Caller, right: Right): Fragment {
  if (caller.role === 'admin') return db`(c.key is not null)`;
  if (right === 'own') return db`(c.user_id = ${caller.userID})`;
  return db`(c.user_id = ${caller.userID} or (${isMember(db, caller)} ${memberAccess(db, right)}))`;
}

/**
 * The item `i` of the collection `c`, with its device `d` or file `f` joined where it has one. A bookmark is visible
 * only to callers who may read the device or file themselves, whatever their right to the collection.
 */
export function itemRight(db: Db, caller: Caller, right: 'read' | 'write'): Fragment {
  const own = db`(d.user_id = ${caller.userID} or ${fileOwner(db)} = ${caller.userID} or i.member_id = ${caller.userID})`;
  return db`(${own} or (${collectionRight(db, caller, right)} and (
    i.member_id is not null or ${deviceRight(db, caller, 'read')} or ${fileRight(db, caller, 'read')})))`;
}

/** Whether the caller sees the team `t`: admins, its people, and those who may read a collection that it is a member of. */
export const teamRight = (db: Db, caller: Caller): Fragment =>
  caller.role === 'admin'
    ? db`(t.key is not null)`
    : db`(exists (select 1 from team_people p where p.user_id = ${caller.userID} and p.team_id = t.key)
      or exists (
        select 1 from collection_teams g join collections c on c.key = g.collection_id
        where g.team_id = t.key and ${collectionRight(db, caller, 'read')}))`;

/** The keys of all people except admins who may read the device `d`, as an array. */
export const deviceReaders = (db: Db): Fragment => db`
  array(
    select d.user_id
    union select c.user_id from collection_items i join collections c on c.key = i.collection_id
    where i.device_id = d.key and (i.placed_by_admin or i.user_id = d.user_id)
    union select m.member_id from collection_items i join collection_items m on m.collection_id = i.collection_id
    where i.device_id = d.key and (i.placed_by_admin or i.user_id = d.user_id) and m.member_id is not null
    union select p.user_id from collection_items i join collection_teams g on g.collection_id = i.collection_id
      join team_people p on p.team_id = g.team_id
    where i.device_id = d.key and (i.placed_by_admin or i.user_id = d.user_id))`;

/** The same for the collection `c`. */
export const collectionReaders = (db: Db): Fragment => db`
  array(
    select c.user_id
    union select m.member_id from collection_items m where m.collection_id = c.key and m.member_id is not null
    union select p.user_id from collection_teams g join team_people p on p.team_id = g.team_id
    where g.collection_id = c.key)`;

export interface Readable {
  readonly devices: ReadonlySet<number>;
  readonly collections: ReadonlySet<number>;
}

/** The keys among the given ones that exist and that the caller may read, in one query. */
export async function findReadable(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
  collectionIDs: readonly number[],
): Promise<Readable> {
  // A device key gives access to its device only, so no collection is queried.
  const collections = caller.deviceID === undefined ? collectionIDs : [];
  const rows = await db<{ isDevice: boolean; key: number }[]>`
    select true as "isDevice", d.key from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${deviceRight(db, caller, 'read')}
    union all select false, c.key from collections c
    where c.key = any(${collections as number[]}::bigint[]) and ${collectionRight(db, caller, 'read')}`;
  const keys = (isDevice: boolean) => new Set(rows.filter((row) => row.isDevice === isDevice).map(({ key }) => key));
  return { devices: keys(true), collections: keys(false) };
}

/** The keys among the given ones of devices that exist and that the caller may write. */
export async function findWritableDevices(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select d.key from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${deviceRight(db, caller, 'write')}`;
  return new Set(rows.map(({ key }) => key));
}

/** Throws unless the caller has the right to the device: 404 if the caller may not read it, 403 if only read it. */
export async function requireDevice(db: Db, caller: Caller, right: Right, deviceID: number): Promise<void> {
  const [found] = await db<{ granted: boolean }[]>`
    select ${deviceRight(db, caller, right)} as granted from devices d
    where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}`;
  if (!found) throw notFound('device', deviceID);
  if (!found.granted) throw forbidden(explainDenial('device', right));
}

export async function requireCollection(db: Db, caller: Caller, right: Right, collectionID: number): Promise<void> {
  const [found] = await db<{ granted: boolean }[]>`
    select ${collectionRight(db, caller, right)} as granted from collections c
    where c.key = ${collectionID} and ${collectionRight(db, caller, 'read')}`;
  if (!found) throw notFound('collection', collectionID);
  if (!found.granted) throw forbidden(explainDenial('collection', right));
}

export async function requireFile(db: Db, caller: Caller, right: Right, fileID: number): Promise<void> {
  const [found] = await db<{ granted: boolean }[]>`
    select ${fileRight(db, caller, right)} as granted from files f
    where f.key = ${fileID} and ${fileRight(db, caller, 'read')}`;
  if (!found) throw notFound('file', fileID);
  if (!found.granted) throw forbidden(explainDenial('file', right));
}

/** Throws unless the caller may remove the file. */
export async function requireFileRemoval(db: Db, caller: Caller, fileID: number): Promise<void> {
  const [found] = await db<{ granted: boolean }[]>`
    select ${fileRemovalRight(db, caller)} as granted from files f
    where f.key = ${fileID} and ${fileRight(db, caller, 'read')}`;
  if (!found) throw notFound('file', fileID);
  if (!found.granted) throw forbidden(explainDenial('file', 'write'));
}

/** Whether the caller has the right to a file that exists. */
export async function hasFileRight(db: Db, caller: Caller, right: Right, fileID: number): Promise<boolean> {
  const rows = await db`select 1 from files f where f.key = ${fileID} and ${fileRight(db, caller, right)}`;
  return rows.length === 1;
}

export const explainDenial = (noun: string, right: Right): string =>
  right === 'own'
    ? `Only the owner of this ${noun} or an admin may do this.`
    : `You may read this ${noun} but not change it.`;
