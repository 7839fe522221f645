import type { Role } from '@earshot/contract/user';
import type { Db } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';

export interface CallerSession {
  readonly sessionID: number;
  readonly userID: number;
  readonly role: Role;
  readonly disabled: boolean;
  readonly expirationDate: Date;
}

export async function findSessionByToken(db: Db, tokenHash: Buffer): Promise<CallerSession | undefined> {
  const [row] = await db<CallerSession[]>`
    select s.key as "sessionID", u.key as "userID", u.role, u.disabled, s.expiration_date as "expirationDate"
    from sessions s join users u on u.key = s.user_id
    where s.token_hash = ${tokenHash}`;
  return row;
}

export interface CallerKey {
  readonly apiKeyID: number;
  readonly userID: number;
  readonly role: Role;
  readonly disabled: boolean;
  readonly deviceID: number | null;
  readonly isWriteOnly: boolean;
  readonly secretKey: Buffer;
}

export async function findKeyByAccessKey(db: Db, accessKey: string): Promise<CallerKey | undefined> {
  const [row] = await db<CallerKey[]>`
    select k.key as "apiKeyID", u.key as "userID", u.role, u.disabled, k.device_id as "deviceID",
      k.write_only as "isWriteOnly", k.secret_key as "secretKey"
    from api_keys k join users u on u.key = k.user_id
    where k.access_key = ${accessKey}`;
  return row;
}

export async function findSealedSecret(
  db: Db,
  apiKeyID: number,
): Promise<{ accessKey: string; secretKey: Buffer } | undefined> {
  const [row] = await db<{ accessKey: string; secretKey: Buffer }[]>`
    select access_key as "accessKey", secret_key as "secretKey" from api_keys where key = ${apiKeyID}`;
  return row;
}

/** False if the nonce was used before, on any node, or if the key was deleted. */
export async function rememberNonce(db: Db, apiKeyID: number, nonce: string, expires: Date): Promise<boolean> {
  const rows = await db`
    insert into request_nonces (api_key_id, nonce, expiration_date)
    select key, ${nonce}::uuid, ${expires}::timestamptz from api_keys where key = ${apiKeyID}
    on conflict do nothing returning 1`;
  return rows.length === 1;
}

export interface GoodCredential {
  readonly credential: string;
  readonly role: Role;
  readonly isWriteOnly: boolean;
}

/** The credentials among these that are still valid, and what they permit now. */
export async function findGoodCredentials(
  db: Db,
  apiKeyIDs: readonly number[],
  sessionIDs: readonly number[],
): Promise<readonly GoodCredential[]> {
  return db<GoodCredential[]>`
    select 'key ' || k.key as credential, u.role, k.write_only as "isWriteOnly" from api_keys k join users u on u.key = k.user_id
    where k.key = any(${apiKeyIDs as number[]}::bigint[]) and not u.disabled
    union all
    select 'session ' || s.key, u.role, false from sessions s join users u on u.key = s.user_id
    where s.key = any(${sessionIDs as number[]}::bigint[]) and not u.disabled and s.expiration_date > now()`;
}

export const sweepNonces = (db: Db): Promise<void> =>
  removeExpired(db, 'request_nonces', db`expiration_date < now() - interval '1 minute'`);
