import type { UploadKey } from '@earshot/contract/upload-key';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** People manage their own keys; an admin manages all keys. */
const keyRight = (db: Db, caller: Caller): Fragment =>
  caller.role === 'admin' ? db`true` : db`k.user_id = ${caller.userID}`;

const keyColumns = (db: Db): Fragment => db`
  k.key, k.description as "uploadKeyDescription", k.transcribe, case when u.disabled then 0 else 1 end as status,
  k.last_access_date as "lastAccessDate", k.creation_date as "creationDate"`;

export async function findUploadKeys(db: Db, caller: Caller): Promise<UploadKey[]> {
  return db<UploadKey[]>`
    select ${keyColumns(db)} from upload_keys k join users u on u.key = k.user_id where ${keyRight(db, caller)}
    order by k.creation_date desc, k.key desc`;
}

export async function findUploadKey(db: Db, caller: Caller, uploadKeyID: number): Promise<UploadKey | undefined> {
  const [row] = await db<UploadKey[]>`
    select ${keyColumns(db)} from upload_keys k join users u on u.key = k.user_id
    where k.key = ${uploadKeyID} and ${keyRight(db, caller)}`;
  return row;
}

export interface NewUploadKey {
  readonly userID: number;
  readonly description: string | null;
  readonly transcribe: boolean;
  readonly secretHash: Buffer;
}

export async function insertUploadKey(db: Db, key: NewUploadKey): Promise<number> {
  const [row] = await db<{ key: number }[]>`
    insert into upload_keys (user_id, description, transcribe, secret_hash)
    values (${key.userID}, ${key.description}, ${key.transcribe}, ${key.secretHash}) returning key`;
  if (!row) throw new Error('an inserted upload key was not returned');
  return row.key;
}

export interface KeyChanges {
  readonly description?: string | null | undefined;
  readonly transcribe?: boolean | undefined;
}

/** Whether the caller may change the key. */
export async function changeUploadKey(
  db: Db,
  caller: Caller,
  uploadKeyID: number,
  { description, transcribe }: KeyChanges,
): Promise<boolean> {
  const rows = await db`
    update upload_keys k set creation_date = creation_date ${changedColumns(db, { description, transcribe })}
    where k.key = ${uploadKeyID} and ${keyRight(db, caller)} returning 1`;
  return rows.length === 1;
}

export async function changeSecret(
  db: Db,
  caller: Caller,
  uploadKeyID: number,
  secretHash: Buffer,
  graceDays: number,
): Promise<boolean> {
  const isKept = graceDays > 0;
  const rows = await db`
    update upload_keys k set secret_hash = ${secretHash},
      former_secret_hash = ${isKept ? db`k.secret_hash` : db`null`},
      former_secret_end_date = ${isKept ? db`now() + make_interval(days => ${graceDays})` : db`null`}
    where k.key = ${uploadKeyID} and ${keyRight(db, caller)} returning 1`;
  return rows.length === 1;
}

export async function removeUploadKey(db: Db, caller: Caller, uploadKeyID: number): Promise<boolean> {
  const rows = await db`delete from upload_keys k where k.key = ${uploadKeyID} and ${keyRight(db, caller)} returning 1`;
  return rows.length === 1;
}

export interface FoundKey {
  readonly uploadKeyID: number;
  readonly userID: number;
  readonly transcribe: boolean;
}

/** The key with this secret, or with this former secret while it is accepted. */
export async function findKeyBySecret(db: Db, secretHash: Buffer): Promise<FoundKey | undefined> {
  const [row] = await db<FoundKey[]>`
    select k.key as "uploadKeyID", k.user_id as "userID", k.transcribe
    from upload_keys k join users u on u.key = k.user_id
    where not u.disabled and (k.secret_hash = ${secretHash}
      or (k.former_secret_hash = ${secretHash} and k.former_secret_end_date > now()))`;
  return row;
}

export interface Use {
  readonly receivedBytes: number;
  readonly transcribedMs: number;
}

/** Adds to what the key used today, and returns the sums. Undefined if the key was removed. */
export async function addUse(db: Db, uploadKeyID: number, use: Use): Promise<Use | undefined> {
  const [row] = await db<Use[]>`
    with seen as (
      update upload_keys k set last_access_date = now()
      where k.key = ${uploadKeyID} and (k.last_access_date is null or k.last_access_date < now() - interval '10 seconds'))
    insert into upload_key_use as used (upload_key_id, day, received_bytes, transcribed_ms)
    select k.key, (now() at time zone 'UTC')::date, ${use.receivedBytes}, ${use.transcribedMs}
    from upload_keys k where k.key = ${uploadKeyID}
    on conflict (upload_key_id, day) do update set
      received_bytes = used.received_bytes + excluded.received_bytes,
      transcribed_ms = used.transcribed_ms + excluded.transcribed_ms
    returning received_bytes as "receivedBytes", transcribed_ms as "transcribedMs"`;
  return row;
}

/** Rows of other days are not needed. */
export async function removeFormerUse(db: Db): Promise<void> {
  await db`delete from upload_key_use where day < (now() at time zone 'UTC')::date - 1`;
}

/** The device that the key created for the source, if the key's owner still owns it. */
export async function findSourceDevice(
  db: Db,
  { uploadKeyID, userID }: FoundKey,
  source: string,
): Promise<number | undefined> {
  const [row] = await db<{ deviceID: number }[]>`
    select s.device_id as "deviceID" from upload_key_devices s join devices d on d.key = s.device_id
    where s.upload_key_id = ${uploadKeyID} and s.source = ${source} and d.user_id = ${userID}`;
  return row?.deviceID;
}

/** Locks the key's owner, then the key, so that one device is created for each source. False if the key was removed. */
export async function lockKeyForDevices(tx: Db, { uploadKeyID, userID }: FoundKey): Promise<boolean> {
  await tx`select 1 from users where key = ${userID} for key share`;
  const rows = await tx`select 1 from upload_keys where key = ${uploadKeyID} for no key update`;
  return rows.length === 1;
}

export async function countSources(tx: Db, uploadKeyID: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from upload_key_devices where upload_key_id = ${uploadKeyID}`;
  return row?.count ?? 0;
}

export async function putSource(tx: Db, uploadKeyID: number, source: string, deviceID: number): Promise<void> {
  await tx`
    insert into upload_key_devices (upload_key_id, source, device_id) values (${uploadKeyID}, ${source}, ${deviceID})
    on conflict (upload_key_id, source) do update set device_id = excluded.device_id`;
}

/** The recorders of the device send to the other one from now on. */
export const moveSourcesOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update upload_key_devices set device_id = ${intoID} where device_id = ${deviceID}`;
