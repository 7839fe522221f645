import { createHmac } from 'node:crypto';
import { cookieText } from '../../platform/http/door/cookies.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { newToken, sameSecret } from '../../platform/secrets/tokens.ts';

/*
 * After a sign-in the browser keeps a signed cookie, also after sign-out. The cookie does not sign anyone in: it only
 * makes failed sign-ins of this browser count separately. There is one cookie for each person who uses the browser.
 */

/** The longest time for which browsers keep a cookie. */
const cookieSeconds = 400 * 24 * 3600;
const cookieName = (userID: number): string => `earshot_browser_${userID}`;

const sign = (secretBox: SecretBox, userID: number, browserID: string): Buffer =>
  createHmac('sha256', secretBox.derive('known browser')).update(`${userID} ${browserID}`).digest();

/** The id of a browser in which this person signed in before. */
export function readKnownBrowser(secretBox: SecretBox, userID: number, exchange: Exchange): string | undefined {
  const [browserID = '', signature = ''] = exchange.cookie(cookieName(userID))?.split('.') ?? [];
  const isOurs = sameSecret(Buffer.from(signature, 'base64url'), sign(secretBox, userID, browserID));
  return isOurs ? browserID : undefined;
}

/** A known browser keeps its id, so that signing in again gives it no further free attempts. */
export function knownBrowserCookie(secretBox: SecretBox, userID: number, exchange: Exchange, secure: boolean): string {
  const browserID = readKnownBrowser(secretBox, userID, exchange) ?? newToken();
  const value = `${browserID}.${sign(secretBox, userID, browserID).toString('base64url')}`;
  return cookieText(cookieName(userID), value, { path: '/v1/session', maxAgeSeconds: cookieSeconds, secure });
}
