import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { Session } from '@earshot/contract/session';
import { recordAct } from '../audit/public.ts';
import { changeCredentials } from '../caller/public.ts';
import { findSession, insertSession, rememberAddress, removeSessionByToken } from './queries.ts';
import { networkOf } from '../../platform/http/door/client-network.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { knownBrowserCookie } from './known-browser.ts';
import { cookieText } from '../../platform/http/door/cookies.ts';
import { hasHttpsAddress, sessionCookieName } from '../../platform/http/door/session-cookie.ts';
import { forbidden, Refusal } from '../../errors.ts';

/** Longer than the session, so that the server can answer that the session has expired. */
const cookieSeconds = 60 * 24 * 3600;

export interface SessionParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
  readonly config: { readonly publicOrigin: string | undefined };
}

/** A browser would not keep the cookie, and the person would be asked to sign in again without a reason. */
export function requireKeptCookie(
  { config: { publicOrigin } }: Pick<SessionParts, 'config'>,
  exchange: Exchange,
): void {
  if (!hasHttpsAddress(publicOrigin) || !exchange.consoleOrigin?.startsWith('http:')) return;
  throw forbidden(
    `This page was opened over plain http, where the browser keeps no session of this server. Open ${publicOrigin} and sign in there.`,
  );
}

/**
 * Starts a session for a person whose identity is verified, and sets the cookie. The session of the cookie that the
 * browser had until now ends, also if it was somebody else's: this browser cannot use it any more.
 */
export async function openSession(
  parts: Omit<SessionParts, 'passwords'>,
  userID: number,
  exchange: Exchange,
): Promise<Session> {
  const { db, secretBox } = parts;
  await rememberAddress(db, userID, networkOf(exchange.address));
  const token = newToken();
  const { address } = exchange;
  const open = async (tx: Db) => {
    const userAgent = exchange.userAgent?.slice(0, 500);
    const added = await insertSession(tx, { userID, tokenHash: hashToken(token), address, userAgent });
    if (added !== undefined) {
      await recordAct(tx, { userID, sessionID: added }, 'sign-in', { recordID: added, personID: userID, address });
    }
    return added;
  };
  const former = exchange.cookie(sessionCookieName(parts.config.publicOrigin));
  const sessionID =
    former === undefined ? await inTransaction(db, open) : await replaceSession(parts, hashToken(former), open);
  const session = await readSession(db, sessionID);
  setSessionCookie(parts, exchange, token, cookieSeconds);
  exchange.setHeader('set-cookie', knownBrowserCookie(secretBox, userID, exchange, isSecure(parts, exchange)));
  return session;
}

export async function readSession(db: Db, sessionID: number | undefined): Promise<Session> {
  const session = sessionID === undefined ? undefined : await findSession(db, sessionID);
  if (!session) throw ended();
  return session;
}

/** Resolves when no node accepts the former session any more. */
function replaceSession(
  parts: Pick<SessionParts, 'db' | 'cluster'>,
  formerHash: Buffer,
  open: (tx: Db) => Promise<number | undefined>,
): Promise<number | undefined> {
  return changeCredentials(parts, async (tx) => {
    const result = await open(tx);
    const former = await removeSessionByToken(tx, formerHash);
    return { result, subjects: former === undefined ? [] : [former] };
  });
}

export function setSessionCookie(
  parts: Pick<SessionParts, 'config'>,
  exchange: Exchange,
  value: string,
  maxAgeSeconds: number,
): void {
  const name = sessionCookieName(parts.config.publicOrigin);
  const secure = isSecure(parts, exchange);
  exchange.setHeader('set-cookie', cookieText(name, value, { path: '/', maxAgeSeconds, secure }));
}

/** A proxy with TLS may not be known to this server, so the address that its operator gave counts as well. */
const isSecure = ({ config: { publicOrigin } }: Pick<SessionParts, 'config'>, exchange: Exchange): boolean =>
  hasHttpsAddress(publicOrigin) || exchange.secure;

/** A session may end, and a person may be removed, while a request is running. */
export const ended = (): Refusal => new Refusal('unauthenticated', 'The web session has ended; sign in again.');
