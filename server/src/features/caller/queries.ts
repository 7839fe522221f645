import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';

export interface SessionRow {
  readonly sessionID: number;
  readonly userID: number;
  readonly role: Role;
  readonly disabled: boolean;
  readonly expirationDate: Date;
}

export async function findSessionByToken(db: Db, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await db<SessionRow[]>`
    select s.key as "sessionID", u.key as "userID", u.role, u.disabled, s.expiration_date as "expirationDate"
    from sessions s join users u on u.key = s.user_id
    where s.token_hash = ${tokenHash}`;
  return row;
}

export interface KeyRow {
  readonly apiKeyID: number;
  readonly userID: number;
  readonly role: Role;
  readonly disabled: boolean;
  readonly deviceID: number | null;
  readonly secretKey: Buffer;
}

export async function findKeyByAccessKey(db: Db, accessKey: string): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow[]>`
    select k.key as "apiKeyID", u.key as "userID", u.role, u.disabled, k.device_id as "deviceID",
      k.secret_key as "secretKey"
    from api_keys k join users u on u.key = k.user_id
    where k.access_key = ${accessKey}`;
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

/** Never waits for locks: a locked credential is being changed or removed, and its last use is recorded next time. */
export async function recordUse(db: Db, apiKeyIDs: readonly number[], sessionIDs: readonly number[]): Promise<void> {
  if (apiKeyIDs.length > 0) {
    await db`
      update api_keys set last_access_date = now() where key in (
        select key from api_keys where key = any(${apiKeyIDs as number[]}::bigint[]) for no key update skip locked)`;
  }
  if (sessionIDs.length > 0) {
    await db`
      update sessions set last_access_date = now(),
        expiration_date = least(now() + interval '7 days', creation_date + interval '30 days')
      where key in (
        select key from sessions where key = any(${sessionIDs as number[]}::bigint[]) and expiration_date > now()
        for no key update skip locked)`;
  }
}

/** The credentials among these that are still valid, with the role of their owner. */
export async function findGoodCredentials(
  db: Db,
  apiKeyIDs: readonly number[],
  sessionIDs: readonly number[],
): Promise<readonly { credential: string; role: Role }[]> {
  return db<{ credential: string; role: Role }[]>`
    select 'key ' || k.key as credential, u.role from api_keys k join users u on u.key = k.user_id
    where k.key = any(${apiKeyIDs as number[]}::bigint[]) and not u.disabled
    union all
    select 'session ' || s.key, u.role from sessions s join users u on u.key = s.user_id
    where s.key = any(${sessionIDs as number[]}::bigint[]) and not u.disabled and s.expiration_date > now()`;
}

/** Expired sessions are kept for a month, so that the server can answer that the session has expired. */
const sweeps = (db: Db): readonly Sweep[] => [
  { table: 'request_nonces', isOver: db`expiration_date < now() - interval '1 minute'` },
  { table: 'sessions', isOver: db`expiration_date < now() - interval '30 days'` },
  // After an hour without an attempt the count restarts at zero anyway.
  { table: 'sign_in_attempts', isOver: db`last_attempt_date < now() - interval '1 hour'` },
  { table: 'known_addresses', isOver: db`last_sign_in_date < now() - interval '400 days'` },
  { table: 'setup_tokens', isOver: db`expiration_date < now()` },
  { table: 'password_resets', isOver: db`expiration_date < now()` },
];

interface Sweep {
  readonly table: string;
  readonly isOver: Fragment;
}

/** Never waits for locks: every node sweeps, and a locked row is being used or removed. */
export async function sweepCredentials(db: Db): Promise<void> {
  for (const { table, isOver } of sweeps(db)) {
    const rows = db(table);
    await db`delete from ${rows} where ctid in (select ctid from ${rows} where ${isOver} for update skip locked)`;
  }
}
