import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { Session } from '@earshot/contract/session';
import { sessionCookie } from '@earshot/contract/session';
import { recordAct } from '../audit/public.ts';
import { findSession, insertSession, rememberAddress } from './queries.ts';
import { networkOf } from '../../platform/http/door/client-network.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { knownBrowserCookie } from './known-browser.ts';
import { cookieText } from '../../platform/http/door/cookies.ts';
import { Refusal } from '../../errors.ts';

/** Longer than the session, so that the server can answer that the session has expired. */
const cookieSeconds = 60 * 24 * 3600;

export interface SessionParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
}

/** Starts a session for a person whose identity is verified, and sets the cookie. */
export async function openSession(
  { db, secretBox }: Pick<SessionParts, 'db' | 'secretBox'>,
  userID: number,
  exchange: Exchange,
): Promise<Session> {
  await rememberAddress(db, userID, networkOf(exchange.address));
  const token = newToken();
  const { address } = exchange;
  const sessionID = await inTransaction(db, async (tx) => {
    const userAgent = exchange.userAgent?.slice(0, 500);
    const added = await insertSession(tx, { userID, tokenHash: hashToken(token), address, userAgent });
    if (added !== undefined) {
      await recordAct(tx, { userID, sessionID: added }, 'sign-in', { recordID: added, personID: userID, address });
    }
    return added;
  });
  const session = await readSession(db, sessionID);
  exchange.setHeader('set-cookie', sessionCookieText(token, cookieSeconds, exchange.secure));
  exchange.setHeader('set-cookie', knownBrowserCookie(secretBox, userID, exchange));
  return session;
}

export async function readSession(db: Db, sessionID: number | undefined): Promise<Session> {
  const session = sessionID === undefined ? undefined : await findSession(db, sessionID);
  if (!session) throw ended();
  return session;
}

export const sessionCookieText = (value: string, maxAgeSeconds: number, secure: boolean): string =>
  cookieText(sessionCookie, value, { path: '/', maxAgeSeconds, secure });

/** A session may end, and a person may be removed, while a request is running. */
export const ended = (): Refusal => new Refusal('unauthenticated', 'The web session has ended; sign in again.');
