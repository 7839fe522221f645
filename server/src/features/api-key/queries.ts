import type { APIKey } from '@earshot/contract/api-key';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { UsedCredentials } from '../caller/public.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** People manage the keys that they created and the keys of their own devices; an admin manages all keys. */
const keyRight = (db: Db, caller: Caller): Fragment =>
  caller.role === 'admin'
    ? db`true`
    : db`(k.user_id = ${caller.userID} or exists (
        select 1 from devices d where d.key = k.device_id and d.user_id = ${caller.userID}))`;

const keyColumns = (db: Db): Fragment => db`
  k.key, k.user_id as "userID", k.description as "aPIKeyDescription", k.access_key as "accessKey",
  case when u.disabled then 0 else 1 end as status, k.last_access_date as "lastAccessDate",
  k.creation_date as "creationDate", k.created_by as "createdBy",
  k.last_modified_date as "lastModifiedDate", k.last_modified_by as "lastModifiedBy"`;

export async function findKey(db: Db, caller: Caller, apiKeyID: number): Promise<APIKey | undefined> {
  const [row] = await db<APIKey[]>`
    select ${keyColumns(db)} from api_keys k join users u on u.key = k.user_id
    where k.key = ${apiKeyID} and ${keyRight(db, caller)}`;
  return row;
}

export async function listKeys(db: Db, caller: Caller, deviceID?: number): Promise<APIKey[]> {
  return db<APIKey[]>`
    select ${keyColumns(db)} from api_keys k join users u on u.key = k.user_id
    where ${keyRight(db, caller)} ${deviceID === undefined ? db`` : db`and k.device_id = ${deviceID}`}
    order by k.creation_date desc, k.key desc`;
}

export interface NewKey {
  readonly userID: number;
  readonly deviceID: number | null;
  readonly accessKey: string;
  readonly secretKey: Buffer;
}

export async function insertKey(db: Db, key: NewKey): Promise<number> {
  const [row] = await db<{ key: number }[]>`
    insert into api_keys (user_id, device_id, description, access_key, secret_key, created_by)
    values (${key.userID}, ${key.deviceID},
      (select 'Key of device ' || device_name from devices where key = ${key.deviceID}),
      ${key.accessKey}, ${key.secretKey}, ${key.userID})
    returning key`;
  if (!row) throw new Error('an inserted API key was not returned');
  return row.key;
}

export async function describeKey(
  db: Db,
  caller: Caller,
  apiKeyID: number,
  description?: string | null,
): Promise<boolean> {
  const set = description === undefined ? db`` : db`, description = ${description}`;
  const rows = await db`
    update api_keys k set last_modified_date = now(), last_modified_by = ${caller.userID} ${set}
    where k.key = ${apiKeyID} and ${keyRight(db, caller)} returning 1`;
  return rows.length === 1;
}

export interface RemovedKey {
  readonly userID: number;
  readonly deviceID: number | null;
}

/** Returns the key's owner and device, or undefined if there was no such key. */
export async function removeKey(db: Db, caller: Caller, apiKeyID: number): Promise<RemovedKey | undefined> {
  const [row] = await db<RemovedKey[]>`
    delete from api_keys k where k.key = ${apiKeyID} and ${keyRight(db, caller)}
    returning k.user_id as "userID", k.device_id as "deviceID"`;
  return row;
}

/** Never waits: a key that is locked is being changed or removed, and keeps its former time until its next use. */
export async function recordKeyUse(db: Db, { apiKeyIDs }: UsedCredentials): Promise<void> {
  if (apiKeyIDs.length === 0) return;
  await db`
    update api_keys set last_access_date = now() where key in (
      select key from api_keys where key = any(${apiKeyIDs as number[]}::bigint[]) for no key update skip locked)`;
}

/** Returns the people who created keys for the device. Their cached credentials must be invalidated. */
export async function removeKeysOfDevice(db: Db, deviceID: number): Promise<readonly number[]> {
  const rows = await db<{ userID: number }[]>`
    delete from api_keys where device_id = ${deviceID} returning user_id as "userID"`;
  return rows.map(({ userID }) => userID);
}
