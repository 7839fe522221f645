import type { Db } from '../../platform/database/connect.ts';
import type { StoredUser } from './queries.ts';
import { insertUser } from './queries.ts';
import { conflict } from '../../errors.ts';
import type { CreateUser } from '@earshot/contract/user';
import type { UserParts } from './parts.ts';
import { newPostbackSecret, postbackPurpose } from './postback-secret.ts';

export async function addUser(
  db: Db,
  parts: Pick<UserParts, 'passwords' | 'secretBox'>,
  given: CreateUser,
): Promise<StoredUser> {
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

export const normalEmail = (email: string): string => email.trim().toLowerCase();
