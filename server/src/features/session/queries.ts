import type { Session } from '@earshot/contract/session';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';
import type { UsedCredentials } from '../caller/public.ts';
import { recordAct } from '../audit/public.ts';
import { recordSignIn } from '../user/public.ts';

export interface Credentials {
  readonly userID: number;
  readonly passwordHash: string;
  readonly disabled: boolean;
  /** Whether this person has signed in from the network before. */
  readonly isKnownAddress: boolean;
}

export async function findCredentials(db: Db, email: string, network: string): Promise<Credentials | undefined> {
  const [row] = await db<Credentials[]>`
    select u.key as "userID", u.password_hash as "passwordHash", u.disabled, k.user_id is not null as "isKnownAddress"
    from users u left join known_addresses k on k.user_id = u.key and k.network = ${network}
    where u.email = ${email}`;
  return row;
}

/** The number of networks stored per person, the newest ones. */
const mostKnownAddresses = 50;

export async function rememberAddress(db: Db, userID: number, network: string): Promise<void> {
  await db`
    insert into known_addresses (user_id, network)
    select key, ${network} from users where key = ${userID} for key share
    on conflict (user_id, network) do update set last_sign_in_date = now()`;
  await db`
    delete from known_addresses where user_id = ${userID} and network in (
      select network from known_addresses where user_id = ${userID}
      order by last_sign_in_date desc, network offset ${mostKnownAddresses})`;
}

export async function findPasswordHash(db: Db, userID: number): Promise<string | undefined> {
  const [row] = await db<{ passwordHash: string }[]>`
    select password_hash as "passwordHash" from users where key = ${userID}`;
  return row?.passwordHash;
}

export interface NewSession {
  readonly userID: number;
  readonly tokenHash: Buffer;
  readonly address: string;
  readonly userAgent: string | undefined;
}

const sessionColumns = (db: Db, currentID: number | undefined): Fragment => db`
  s.key, s.user_id as "userID", u.email, u.display_name as "displayName", u.role, s.address,
  s.user_agent as "userAgent", s.key is not distinct from ${currentID ?? null}::bigint as current, s.creation_date as "creationDate",
  s.last_access_date as "lastAccessDate", s.expiration_date as "expirationDate"`;

/** Undefined if the person was removed. */
export async function insertSession(db: Db, session: NewSession): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with signed_in as (${recordSignIn(db, session.userID)})
    insert into sessions (user_id, token_hash, address, user_agent, expiration_date)
    select key, ${session.tokenHash}, ${session.address}, ${session.userAgent ?? null}, now() + interval '7 days'
    from signed_in returning key`;
  return row?.key;
}

export async function findSession(db: Db, sessionID: number): Promise<Session | undefined> {
  const [row] = await db<Session[]>`
    select ${sessionColumns(db, sessionID)} from sessions s join users u on u.key = s.user_id where s.key = ${sessionID}`;
  return row;
}

export async function listSessionsOf(db: Db, userID: number, currentID: number | undefined): Promise<Session[]> {
  return db<Session[]>`
    select ${sessionColumns(db, currentID)} from sessions s join users u on u.key = s.user_id
    where s.user_id = ${userID} and s.expiration_date > now()
    order by s.last_access_date desc, s.key desc`;
}

export async function removeSession(db: Db, sessionID: number, userID: number): Promise<boolean> {
  const rows = await db`delete from sessions where key = ${sessionID} and user_id = ${userID} returning 1`;
  return rows.length === 1;
}

/** Ends the session of a token, and records it as its person's. Returns the person, or undefined without such a session. */
export async function removeSessionByToken(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const [row] = await db<{ userID: number; sessionID: number }[]>`
    delete from sessions where token_hash = ${tokenHash} returning user_id as "userID", key as "sessionID"`;
  if (row) await recordAct(db, row, 'sign-out', { recordID: row.sessionID });
  return row?.userID;
}

/** Ends all sessions of a person except one. */
export async function removeSessionsOf(db: Db, userID: number, exceptID: number | undefined): Promise<void> {
  await db`delete from sessions where user_id = ${userID} and key is distinct from ${exceptID ?? null}::bigint`;
}

export async function passwordResetExists(db: Db, tokenHash: Buffer): Promise<boolean> {
  const rows = await db`
    select 1 from password_resets where token_hash = ${tokenHash} and expiration_date > now()`;
  return rows.length === 1;
}

/** Uses up a one-time token: the caller that deletes the row may set the password. */
export async function consumePasswordReset(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const [row] = await db<{ userID: number }[]>`
    delete from password_resets where token_hash = ${tokenHash} and expiration_date > now()
    returning user_id as "userID"`;
  return row?.userID;
}

export async function findPostbackSecret(db: Db, userID: number): Promise<Buffer | undefined> {
  const [row] = await db<{ secret: Buffer }[]>`select postback_secret as secret from users where key = ${userID}`;
  return row?.secret;
}

export async function putPasswordReset(db: Db, userID: number, tokenHash: Buffer): Promise<Date | undefined> {
  const [row] = await db<{ expirationDate: Date }[]>`
    insert into password_resets (user_id, token_hash, expiration_date)
    select key, ${tokenHash}, now() + interval '1 hour' from users where key = ${userID}
    on conflict (user_id) do update set token_hash = excluded.token_hash, expiration_date = excluded.expiration_date
    returning expiration_date as "expirationDate"`;
  return row?.expirationDate;
}

/** Never waits: a session that is locked is being changed or removed, and keeps its former time until its next use. */
export async function recordSessionUse(db: Db, { sessionIDs }: UsedCredentials): Promise<void> {
  if (sessionIDs.length === 0) return;
  await db`
    update sessions set last_access_date = now(),
      expiration_date = least(now() + interval '7 days', creation_date + interval '30 days')
    where key in (
      select key from sessions where key = any(${sessionIDs as number[]}::bigint[]) and expiration_date > now()
      for no key update skip locked)`;
}

/** Expired sessions are kept for a month, so that their browsers can be told that the session expired. */
export async function sweepSessions(db: Db): Promise<void> {
  await removeExpired(db, 'sessions', db`expiration_date < now() - interval '30 days'`);
  // After an hour without an attempt a count starts again at zero anyway.
  await removeExpired(db, 'sign_in_attempts', db`last_attempt_date < now() - interval '1 hour'`);
  await removeExpired(db, 'known_addresses', db`last_sign_in_date < now() - interval '400 days'`);
  await removeExpired(db, 'password_resets', db`expiration_date < now()`);
}
