import type { Role, User } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionReaders } from '../../access.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Stored } from '../../platform/database/stored.ts';

/** People may read the fields of others that they need for sharing; the other fields only an admin and the person. */
function userColumns(db: Db, caller: Caller): Fragment {
  const all = db`role, disabled, creation_date as "creationDate", last_sign_in_date as "lastSignInDate"`;
  const common = db`key, email, display_name as "displayName"`;
  if (caller.role === 'admin') return db`${common}, ${all}`;
  const own = db`key = ${caller.userID}`;
  return db`${common},
    case when ${own} then role end as role,
    case when ${own} then disabled end as disabled,
    case when ${own} then creation_date end as "creationDate",
    case when ${own} then last_sign_in_date end as "lastSignInDate"`;
}

export async function findUser(db: Db, caller: Caller, userID: number): Promise<User | undefined> {
  const [row] = await db<User[]>`select ${userColumns(db, caller)} from users where key = ${userID}`;
  return row;
}

export async function findUsers(db: Db, caller: Caller): Promise<User[]> {
  return db<User[]>`select ${userColumns(db, caller)} from users order by email`;
}

export type StoredUser = Stored<User, 'key' | 'email' | 'role' | 'disabled' | 'creationDate'>;

export interface NewUser {
  readonly email: string;
  readonly displayName: string | null;
  readonly role: Role;
  readonly passwordHash: string;
  readonly postbackSecret: Buffer;
}

/** Undefined if another person has the email. */
export async function insertUser(db: Db, user: NewUser): Promise<StoredUser | undefined> {
  const [row] = await db<StoredUser[]>`
    insert into users (email, display_name, role, password_hash, postback_secret)
    values (${user.email}, ${user.displayName}, ${user.role}, ${user.passwordHash}, ${user.postbackSecret})
    on conflict (email) do nothing
    returning key, email, display_name as "displayName", role, disabled, creation_date as "creationDate"`;
  return row;
}

export interface UserChanges {
  readonly displayName?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
}

export async function changeUser(db: Db, userID: number, changes: UserChanges): Promise<void> {
  await db`
    update users set email = email ${changedColumns(db, {
      display_name: changes.displayName,
      role: changes.role,
      disabled: changes.disabled,
    })} where key = ${userID}`;
}

export async function userExists(db: Db, userID: number): Promise<boolean> {
  const rows = await db`select 1 from users where key = ${userID}`;
  return rows.length === 1;
}

/** Locks every active admin, so that two changes at once cannot remove the last two. */
export async function lockActiveAdmins(tx: Db): Promise<readonly number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from users where role = 'admin' and not disabled order by key for no key update`;
  return rows.map(({ key }) => key);
}

export async function ownsAnything(db: Db, userID: number): Promise<boolean> {
  const [row] = await db<{ owns: boolean }[]>`
    select exists (select 1 from devices where user_id = ${userID})
      or exists (select 1 from files where user_id = ${userID}) as owns`;
  return row?.owns ?? false;
}

/** Removes the person's collections too; collections with this person as a member are recorded as changed. */
export async function removeUser(db: Db, userID: number): Promise<boolean> {
  // Locks in the order of docs/decisions/0020.
  await db`select 1 from users where key = ${userID} for update`;
  await db`select 1 from collections where user_id = ${userID} order by key for update`;
  await db`select 1 from api_keys where user_id = ${userID} order by key for update`;
  await db`
    select 1 from collection_items i
    where i.member_id = ${userID} or i.user_id = ${userID}
      or i.collection_id in (select c.key from collections c where c.user_id = ${userID})
    order by i.key for update`;
  await db`select 1 from team_people where user_id = ${userID} order by team_id for update`;
  await db`
    select 1 from event_presets p
    where p.user_id = ${userID} or p.device_group_id in (select c.key from collections c where c.user_id = ${userID})
    order by p.key for update`;
  const rows = await db`
    with owned as (
      select c.key, null::bigint as device_id, ${collectionReaders(db)} as readers
      from collections c where c.user_id = ${userID}),
    joined as (
      select c.key, null::bigint as device_id from collections c
      where c.user_id <> ${userID} and (
        c.key in (select i.collection_id from collection_items i where i.member_id = ${userID})
        or c.key in (
          select g.collection_id from team_people p join collection_teams g on g.team_id = p.team_id
          where p.user_id = ${userID}))),
    gone as (delete from users where key = ${userID} returning key),
    logged as (${recordChanges(
      db,
      { kind: 'collection', change: 'removed', rows: db`owned`, readers: db`r.readers` },
      { kind: 'collection', change: 'changed', rows: db`joined` },
    )})
    select 1 from gone`;
  return rows.length === 1;
}

export async function setPassword(db: Db, userID: number, passwordHash: string): Promise<void> {
  await db`update users set password_hash = ${passwordHash} where key = ${userID}`;
}

export async function setPostbackSecret(db: Db, userID: number, sealed: Buffer): Promise<void> {
  await db`update users set postback_secret = ${sealed} where key = ${userID}`;
}

/** The update that records a sign-in, as a part of a statement. Returns `key`, unless the person was removed. */
export const recordSignIn = (db: Db, userID: number): Fragment =>
  db`update users set last_sign_in_date = now() where key = ${userID} returning key`;
