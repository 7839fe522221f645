import type { CreateUser, User, UserUpdate } from '@earshot/contract/user';
import { conflict, forbidden, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { UserChanges } from './queries.ts';
import { changeUser, lockActiveAdmins, ownsAnything, removeUser, userExists } from './queries.ts';
import { recordAct } from '../audit/public.ts';
import { changeCredentials } from '../caller/public.ts';
import { addUser } from './add-user.ts';
import type { UserParts } from './parts.ts';

export const addPerson = (parts: UserParts, caller: Caller, given: CreateUser): Promise<User> =>
  inTransaction(parts.db, async (tx) => {
    const user = await addUser(tx, parts, given);
    await recordAct(tx, caller, 'person-created', { recordID: user.key, personID: user.key });
    return user;
  });

/** People may change their own name; only an admin may change the rest, and there is always at least one admin. */
export async function editUser(parts: UserParts, caller: Caller, userID: number, update: UserUpdate): Promise<void> {
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
    await recordAct(tx, caller, 'person-changed', { recordID: userID, personID: userID });
    if (changes.disabled === true) for (const react of parts.userDisabled) await react(tx, userID);
    return { result: undefined, subjects: [userID] };
  });
}

export async function eraseUser(parts: UserParts, caller: Caller, userID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => {
    await requireAnotherAdmin(tx, userID);
    if (await ownsAnything(tx, userID)) {
      throw conflict('This person owns devices or files; give them to someone else or remove them first.');
    }
    if (!(await removeUser(tx, userID))) throw notFound('user', userID);
    await recordAct(tx, caller, 'person-removed', { recordID: userID, personID: userID });
    return { result: undefined, subjects: [userID] };
  });
}

async function requireAnotherAdmin(tx: Db, userID: number): Promise<void> {
  const admins = await lockActiveAdmins(tx);
  if (admins.length === 1 && admins[0] === userID) {
    throw conflict('This is the last admin; make another person an admin first.');
  }
}

export async function requireUser(db: Db, userID: number): Promise<void> {
  if (!(await userExists(db, userID))) throw notFound('user', userID);
}
