import { randomBytes } from 'node:crypto';
import type { Session } from '@earshot/contract/session';
import { sessionCookie } from '@earshot/contract/session';
import { forbidden, notFound, Refusal } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { changeCredentials, readBasic } from '../caller/rules.ts';
import {
  findCredentials,
  findPasswordHash,
  findPostbackSecret,
  findSession,
  insertSession,
  removeSession,
  removeSessionsOf,
  setPassword,
  setPostbackSecret,
  takePasswordReset,
} from './queries.ts';
import { beginAttempt } from './sign-in-limit.ts';

export interface SessionParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
}

/** Outlives the session itself, so that the server can say that it expired. */
const cookieSeconds = 60 * 24 * 3600;

export const normalEmail = (email: string): string => email.trim().toLowerCase();

export async function signIn(
  parts: SessionParts,
  given: { email: string; password: string } | undefined,
  exchange: Exchange,
): Promise<Session> {
  const { email, password } = given ?? basicSignIn(exchange.authorization);
  const attempt = await beginAttempt(parts.db, { email: normalEmail(email) }, exchange.address);
  const known = email.includes('\0') ? undefined : await findCredentials(parts.db, normalEmail(email));
  const right = await parts.passwords.matches(password, known?.passwordHash);
  if (!right || !known || known.disabled) throw new Refusal('unauthenticated', 'The email or the password is wrong.');
  await attempt.succeeded();
  return openSession(parts, known.userID, exchange);
}

function basicSignIn(authorization: string | undefined): { email: string; password: string } {
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  const given = basic === undefined ? undefined : readBasic(basic);
  if (!given) throw new Refusal('unauthenticated', 'Send {email, password}, or the same as HTTP Basic.');
  return { email: given.name, password: given.password };
}

/** Signs a person in whose identity is proven, and hands the browser its cookie. */
export async function openSession(
  { db }: Pick<SessionParts, 'db'>,
  userID: number,
  exchange: Exchange,
): Promise<Session> {
  const token = newToken();
  const sessionID = await insertSession(db, {
    userID,
    tokenHash: hashToken(token),
    address: exchange.address,
    userAgent: exchange.userAgent?.slice(0, 500),
  });
  const session = await readSession(db, sessionID);
  exchange.setHeader('set-cookie', cookieText(token, cookieSeconds, exchange.secure));
  return session;
}

/** A session may end, and a person be removed, while a request of theirs is under way. */
const ended = (): Refusal => new Refusal('unauthenticated', 'The web session has ended; sign in again.');

export async function readSession(db: Db, sessionID: number | undefined): Promise<Session> {
  const session = sessionID === undefined ? undefined : await findSession(db, sessionID);
  if (!session) throw ended();
  return session;
}

function cookieText(value: string, maxAgeSeconds: number, secure: boolean): string {
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return `${sessionCookie}=${value}; ${flags}`;
}

export async function signOut(parts: SessionParts, caller: Caller, exchange: Exchange): Promise<void> {
  // Whoever ended it first, it has ended.
  await removeOwnSession(parts, caller, caller.sessionID ?? 0);
  exchange.setHeader('set-cookie', cookieText('', 0, exchange.secure));
}

export async function endSession(parts: SessionParts, caller: Caller, sessionID: number): Promise<void> {
  if (!(await removeOwnSession(parts, caller, sessionID))) throw notFound('session', sessionID);
}

function removeOwnSession(parts: SessionParts, caller: Caller, sessionID: number): Promise<boolean> {
  return changeCredentials(parts, async (tx) => ({
    result: await removeSession(tx, sessionID, caller.userID),
    subjects: [caller.userID],
  }));
}

export async function changePassword(
  parts: SessionParts,
  caller: Caller,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  address: string,
): Promise<void> {
  // A stolen session must not serve to guess the password either.
  const attempt = await beginAttempt(parts.db, { userID: caller.userID }, address);
  const right = await parts.passwords.matches(oldPassword, await findPasswordHash(parts.db, caller.userID));
  if (!right) throw forbidden('The old password is wrong.');
  await attempt.succeeded();
  await replacePassword(parts, caller.userID, newPassword, caller.sessionID);
}

export async function usePasswordReset(
  parts: SessionParts,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<void> {
  const attempt = await beginAttempt(parts.db, 'one-time link', address);
  const passwordHash = await parts.passwords.hash(password);
  await changeCredentials(parts, async (tx) => {
    const userID = await takePasswordReset(tx, hashToken(token));
    if (userID === undefined) {
      throw new Refusal('unauthenticated', 'This link was used before or has expired; ask an admin for a new one.');
    }
    await setPassword(tx, userID, passwordHash);
    await removeSessionsOf(tx, userID, undefined);
    return { result: undefined, subjects: [userID] };
  });
  await attempt.succeeded();
}

async function replacePassword(parts: SessionParts, userID: number, password: string, keepSessionID?: number) {
  const passwordHash = await parts.passwords.hash(password);
  await changeCredentials(parts, async (tx) => {
    await setPassword(tx, userID, passwordHash);
    await removeSessionsOf(tx, userID, keepSessionID);
    return { result: undefined, subjects: [userID] };
  });
}

/** The form that Standard Webhooks libraries read. */
export const newPostbackSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
export const postbackPurpose = 'postback secret';

export async function readPostbackSecret({ db, secretBox }: SessionParts, caller: Caller) {
  const sealed = await findPostbackSecret(db, caller.userID);
  if (!sealed) throw ended();
  return { postbackSecret: secretBox.open(sealed, postbackPurpose) };
}

export async function rotatePostbackSecret({ db, secretBox }: SessionParts, caller: Caller) {
  const postbackSecret = newPostbackSecret();
  await setPostbackSecret(db, caller.userID, secretBox.seal(postbackSecret, postbackPurpose));
  return { postbackSecret };
}
