import type { CreateUser, User, UserUpdate } from '@earshot/contract/user';
import { conflict, forbidden, notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { changeCredentials } from '../caller/rules.ts';
import { newPostbackSecret, normalEmail, postbackPurpose } from '../session/rules.ts';
import type { UserChanges } from './queries.ts';
import {
  changeUser,
  insertUser,
  lockActiveAdmins,
  ownsAnything,
  putPasswordReset,
  removeSessionsOfUser,
  removeUser,
  userExists,
} from './queries.ts';

export interface UserParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
}

export async function addUser(
  db: Db,
  parts: Pick<UserParts, 'passwords' | 'secretBox'>,
  given: CreateUser,
): Promise<User> {
  const email = normalEmail(given.email);
  const user = await insertUser(db, {
    email,
    displayName: given.displayName ?? null,
    role: given.role ?? 'member',
    passwordHash: await parts.passwords.hash(given.password),
    postbackSecret: parts.secretBox.seal(newPostbackSecret(), postbackPurpose),
  });
  if (!user) throw conflict(`Another person has the email ${email}.`);
  return user;
}

export async function requireUser(db: Db, userID: number): Promise<void> {
  if (!(await userExists(db, userID))) throw notFound('user', userID);
}

/** People may change their own name; only an admin may change the rest, and there is always at least one admin. */
export async function updateUser(parts: UserParts, caller: Caller, userID: number, update: UserUpdate): Promise<void> {
  const { role, disabled } = update;
  const isAdmin = caller.role === 'admin';
  if (!isAdmin && caller.userID !== userID) {
    await requireUser(parts.db, userID);
    throw forbidden('Only an admin may change another person.');
  }
  const changes: UserChanges = isAdmin ? update : { displayName: update.displayName };
  if (!isAdmin && (disabled === true || (role !== undefined && role !== caller.role))) {
    throw forbidden('Only an admin may change a role or disable a person.');
  }
  await changeCredentials(parts, async (tx) => {
    await requireUser(tx, userID);
    if (changes.disabled === true || changes.role === 'member') await requireAnotherAdmin(tx, userID);
    await changeUser(tx, userID, changes);
    if (changes.disabled === true) await removeSessionsOfUser(tx, userID);
    return { result: undefined, subjects: [userID] };
  });
}

export async function deleteUser(parts: UserParts, userID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => {
    await requireAnotherAdmin(tx, userID);
    if (await ownsAnything(tx, userID)) {
      throw conflict('This person owns devices or files; give them to someone else or remove them first.');
    }
    if (!(await removeUser(tx, userID))) throw notFound('user', userID);
    return { result: undefined, subjects: [userID] };
  });
}

async function requireAnotherAdmin(tx: Db, userID: number): Promise<void> {
  const admins = await lockActiveAdmins(tx);
  if (admins.length === 1 && admins[0] === userID) {
    throw conflict('This is the last admin; make another person an admin first.');
  }
}

/** Without a configured origin the link is a path only: a guessed origin could send the token to another server. */
export async function createPasswordReset({ db }: Pick<UserParts, 'db'>, userID: number, origin = '') {
  const token = newToken();
  const expirationDate = await putPasswordReset(db, userID, hashToken(token));
  if (!expirationDate) throw notFound('user', userID);
  return { token, resetURL: `${origin}/reset#token=${token}`, expirationDate };
}
