import type { Session } from '@earshot/contract/session';
import type { Db, Fragment } from '../../platform/database/connect.ts';

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
  s.user_agent as "userAgent", s.key = ${currentID ?? 0} as current, s.creation_date as "creationDate",
  s.last_access_date as "lastAccessDate", s.expiration_date as "expirationDate"`;

/** Undefined if the person was removed. */
export async function insertSession(db: Db, session: NewSession): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with signed_in as (update users set last_sign_in_date = now() where key = ${session.userID} returning key)
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

export async function setPassword(db: Db, userID: number, passwordHash: string): Promise<void> {
  await db`update users set password_hash = ${passwordHash} where key = ${userID}`;
}

/** Ends all sessions of a person except one. */
export async function removeSessionsOf(db: Db, userID: number, exceptID: number | undefined): Promise<void> {
  await db`delete from sessions where user_id = ${userID} and key <> ${exceptID ?? 0}`;
}

export async function passwordResetExists(db: Db, tokenHash: Buffer): Promise<boolean> {
  const rows = await db`
    select 1 from password_resets where token_hash = ${tokenHash} and expiration_date > now()`;
  return rows.length === 1;
}

/** Uses up a one-time token: the caller that deletes the row may set the password. */
export async function takePasswordReset(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const [row] = await db<{ userID: number }[]>`
    delete from password_resets where token_hash = ${tokenHash} and expiration_date > now()
    returning user_id as "userID"`;
  return row?.userID;
}

export async function findPostbackSecret(db: Db, userID: number): Promise<Buffer | undefined> {
  const [row] = await db<{ secret: Buffer }[]>`select postback_secret as secret from users where key = ${userID}`;
  return row?.secret;
}

export async function setPostbackSecret(db: Db, userID: number, sealed: Buffer): Promise<void> {
  await db`update users set postback_secret = ${sealed} where key = ${userID}`;
}
