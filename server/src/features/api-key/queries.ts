import type { APIKey, DeviceKey } from '@earshot/contract/api-key';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { UsedCredentials } from '../caller/public.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordActs } from '../audit/public.ts';

/** People manage the keys that they created and the keys of their own devices; an admin manages all keys. */
export const keyRight = (db: Db, caller: Caller): Fragment =>
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

export async function listKeys(db: Db, caller: Caller): Promise<APIKey[]> {
  return db<APIKey[]>`
    select ${keyColumns(db)} from api_keys k join users u on u.key = k.user_id
    where ${keyRight(db, caller)} order by k.creation_date desc, k.key desc`;
}

export async function listKeysOfDevice(db: Db, caller: Caller, deviceID: number): Promise<DeviceKey[]> {
  return db<DeviceKey[]>`
    select ${keyColumns(db)}, k.write_only as "isWriteOnly" from api_keys k join users u on u.key = k.user_id
    where k.device_id = ${deviceID} and ${keyRight(db, caller)} order by k.creation_date desc, k.key desc`;
}

/** The device of a device key, and what the key may do for it. */
export interface KeyDevice {
  readonly deviceID: number;
  readonly isWriteOnly: boolean;
}

export interface NewKey {
  readonly userID: number;
  readonly device: KeyDevice | undefined;
  readonly accessKey: string;
  readonly secretKey: Buffer;
}

export async function insertKey(db: Db, key: NewKey): Promise<number> {
  const deviceID = key.device?.deviceID ?? null;
  const [row] = await db<{ key: number }[]>`
    insert into api_keys (user_id, device_id, write_only, description, access_key, secret_key, created_by)
    values (${key.userID}, ${deviceID}, ${key.device?.isWriteOnly ?? false},
      (select 'Key of device ' || device_name from devices where key = ${deviceID}),
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

export interface ChangedKey {
  readonly userID: number;
  readonly deviceID: number | null;
}

/** Returns the key's owner, or undefined if there is no such key of a device that can read. */
export async function makeWriteOnly(tx: Db, caller: Caller, apiKeyID: number): Promise<number | undefined> {
  const [row] = await tx<{ userID: number }[]>`
    with changed as (
      update api_keys k set write_only = true, last_modified_date = now(), last_modified_by = ${caller.userID}
      where k.key = ${apiKeyID} and k.device_id is not null and not k.write_only and ${keyRight(tx, caller)}
      returning k.key, k.device_id, k.user_id),
    recorded as (${recordActs(tx, caller, 'key-changed', tx`changed`)})
    select user_id as "userID" from changed`;
  return row?.userID;
}

export async function isDeviceKey(db: Db, apiKeyID: number): Promise<boolean> {
  const rows = await db`select 1 from api_keys where key = ${apiKeyID} and device_id is not null`;
  return rows.length === 1;
}

/** Returns the key's owner and device, or undefined if there was no such key. */
export async function removeKey(db: Db, caller: Caller, apiKeyID: number): Promise<ChangedKey | undefined> {
  const [row] = await db<ChangedKey[]>`
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
