import { createHmac } from 'node:crypto';
import { cookieText } from '../../platform/http/cookies.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { newToken, sameSecret } from '../../platform/secrets/tokens.ts';

/*
 * A browser in which somebody signed in keeps a signed cookie that says so, also after they sign out. It lets nobody
 * in: it only has failed sign-ins in this browser counted by themselves. One for each person who uses the browser.
 */

/** As long as browsers keep a cookie at most. */
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

/** A browser that is known keeps its id: signing in again gives it no further free attempts. */
export function knownBrowserCookie(secretBox: SecretBox, userID: number, exchange: Exchange): string {
  const browserID = readKnownBrowser(secretBox, userID, exchange) ?? newToken();
  const value = `${browserID}.${sign(secretBox, userID, browserID).toString('base64url')}`;
  const { secure } = exchange;
  return cookieText(cookieName(userID), value, { path: '/v1/session', maxAgeSeconds: cookieSeconds, secure });
}
