import type { Session } from '@earshot/contract/session';
import { forbidden, notFound, Refusal } from '../../errors.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { networkOf } from '../../platform/http/door/client-network.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import {
  findCredentials,
  findPasswordHash,
  findPostbackSecret,
  passwordResetExists,
  putPasswordReset,
  removeSession,
  removeSessionsOf,
  consumePasswordReset,
} from './queries.ts';
import { readKnownBrowser } from './known-browser.ts';
import type { SignInAttempt } from './sign-in-limit.ts';
import { beginAttempt, wayOfSession, waysToSignIn } from './sign-in-limit.ts';
import { recordAct } from '../audit/public.ts';
import { changeCredentials, readBasic } from '../caller/public.ts';
import type { SessionParts } from './open-session.ts';
import { ended, openSession, requireKeptCookie, setSessionCookie } from './open-session.ts';
import { newPostbackSecret, normalEmail, postbackPurpose, setPassword, setPostbackSecret } from '../user/public.ts';
import type { UserParts } from '../user/public.ts';

/** No person has this key. */
const nobody = 0;

export async function signIn(
  parts: SessionParts,
  given: { email: string; password: string } | undefined,
  exchange: Exchange,
): Promise<Session> {
  requireKeptCookie(parts, exchange);
  const { password, ...tried } = given ?? basicSignIn(exchange.authorization);
  const email = normalEmail(tried.email);
  const network = networkOf(exchange.address);
  const known = email.includes('\0') ? undefined : await findCredentials(parts.db, email, network);
  const ways = waysToSignIn({
    email,
    network,
    isKnownAddress: known?.isKnownAddress ?? false,
    // Also for an unknown email, so that the response time is the same.
    browserID: readKnownBrowser(parts.secretBox, known?.userID ?? nobody, exchange),
  });
  const attempt = await beginAttempt(parts.db, ways);
  const right = await checkPassword(parts, attempt, password, known?.passwordHash);
  if (!right || !known || known.disabled) {
    // The email is not recorded: people type passwords in its place.
    await recordAct(parts.db, undefined, 'sign-in-failed', { personID: known?.userID, address: exchange.address });
    throw new Refusal('unauthenticated', 'The email or the password is wrong.');
  }
  await attempt.succeeded();
  return openSession(parts, known.userID, exchange);
}

/** If the password could not be checked because too many checks are waiting, the attempt does not count. */
async function checkPassword({ passwords }: SessionParts, attempt: SignInAttempt, password: string, hash?: string) {
  try {
    return await passwords.matches(password, hash, attempt.isKnown ? 'known' : 'stranger');
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
}

function basicSignIn(authorization: string | undefined): { email: string; password: string } {
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  const given = basic === undefined ? undefined : readBasic(basic);
  if (!given) throw new Refusal('unauthenticated', 'Send {email, password}, or the same as HTTP Basic.');
  return { email: given.name, password: given.password };
}

export async function signOut(parts: SessionParts, caller: Caller, exchange: Exchange): Promise<void> {
  // A session that has already ended is not an error.
  await removeOwnSession(parts, caller, requireValue(caller.sessionID, 'sessions.key of the caller'));
  setSessionCookie(parts, exchange, '', 0);
}

export async function endOwnSession(parts: SessionParts, caller: Caller, sessionID: number): Promise<void> {
  if (!(await removeOwnSession(parts, caller, sessionID))) throw notFound('session', sessionID);
}

function removeOwnSession(parts: SessionParts, caller: Caller, sessionID: number): Promise<boolean> {
  return changeCredentials(parts, async (tx) => {
    const result = await removeSession(tx, sessionID, caller.userID);
    if (result) await recordAct(tx, caller, 'sign-out', { recordID: sessionID });
    return { result, subjects: [caller.userID] };
  });
}

export async function changeOwnPassword(
  parts: SessionParts,
  caller: Caller,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<void> {
  // Counted by session: a stolen session cannot be used to guess the password, or to block its owner from changing it.
  const attempt = await beginAttempt(parts.db, [
    wayOfSession(requireValue(caller.sessionID, 'sessions.key of the caller')),
  ]);
  const right = await checkPassword(parts, attempt, oldPassword, await findPasswordHash(parts.db, caller.userID));
  if (!right) throw forbidden('The old password is wrong.');
  await attempt.succeeded();
  await replacePassword(parts, caller, newPassword);
}

export async function redeemPasswordReset(
  parts: SessionParts,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const wrongLink = () =>
    new Refusal('unauthenticated', 'This link was used before or has expired; ask an admin for a new one.');
  // A token of 256 bits cannot be guessed, so failures are not counted. The password is hashed only for a valid token.
  if (!(await passwordResetExists(parts.db, hashToken(token)))) throw wrongLink();
  const passwordHash = await parts.passwords.hash(password);
  await changeCredentials(parts, async (tx) => {
    const userID = await consumePasswordReset(tx, hashToken(token));
    if (userID === undefined) throw wrongLink();
    await setPassword(tx, userID, passwordHash);
    await removeSessionsOf(tx, userID, undefined);
    await recordAct(tx, { userID }, 'password-changed', { personID: userID });
    return { result: undefined, subjects: [userID] };
  });
}

async function replacePassword(parts: SessionParts, caller: Caller, password: string) {
  const { userID, sessionID } = caller;
  const passwordHash = await parts.passwords.hash(password);
  await changeCredentials(parts, async (tx) => {
    await setPassword(tx, userID, passwordHash);
    await removeSessionsOf(tx, userID, sessionID);
    await recordAct(tx, caller, 'password-changed', { personID: userID });
    return { result: undefined, subjects: [userID] };
  });
}

export async function readPostbackSecret({ db, secretBox }: SessionParts, caller: Caller) {
  const sealed = await findPostbackSecret(db, caller.userID);
  if (!sealed) throw ended();
  return { postbackSecret: secretBox.open(sealed, postbackPurpose) };
}

export async function renewPostbackSecret({ db, secretBox }: SessionParts, caller: Caller) {
  const postbackSecret = newPostbackSecret();
  await inTransaction(db, async (tx) => {
    await setPostbackSecret(tx, caller.userID, secretBox.seal(postbackSecret, postbackPurpose));
    await recordAct(tx, caller, 'postback-secret-changed');
  });
  return { postbackSecret };
}

/** Without a configured origin the link is a path only: a guessed origin could send the token to another server. */
export async function issuePasswordReset({ db }: Pick<UserParts, 'db'>, caller: Caller, userID: number, origin = '') {
  const token = newToken();
  const expirationDate = await inTransaction(db, async (tx) => {
    const expires = await putPasswordReset(tx, userID, hashToken(token));
    if (!expires) throw notFound('user', userID);
    await recordAct(tx, caller, 'password-link-created', { personID: userID });
    return expires;
  });
  return { token, resetURL: `${origin}/reset#token=${token}`, expirationDate };
}
