import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import { insertUser, userExists } from './queries.ts';
import { conflict, notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { CreateUser, User } from '@earshot/contract/user';
import { randomBytes } from 'node:crypto';

export interface UserParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
  readonly userDisabled: readonly OnUserDisabled[];
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

export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** The format that Standard Webhooks libraries read. */
export const newPostbackSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export const postbackPurpose = 'postback secret';

export async function setPassword(db: Db, userID: number, passwordHash: string): Promise<void> {
  await db`update users set password_hash = ${passwordHash} where key = ${userID}`;
}

export async function setPostbackSecret(db: Db, userID: number, sealed: Buffer): Promise<void> {
  await db`update users set postback_secret = ${sealed} where key = ${userID}`;
}

/** What a feature does in the transaction that disables a person. */
export type OnUserDisabled = (tx: Db, userID: number) => Promise<void>;

/** The update that records a sign-in, as a part of a statement. Returns `key`, unless the person was removed. */
export const recordSignIn = (db: Db, userID: number): Fragment =>
  db`update users set last_sign_in_date = now() where key = ${userID} returning key`;
