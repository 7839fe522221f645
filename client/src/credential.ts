import { hostSessionCookie, sessionCookie } from '@earshot/contract/session';
import { canonicalBytes, signedScheme } from '@earshot/contract/signing';

/** An API key, sent with HTTP Basic or, with `signed`, used to sign each request so that the secret is never sent. */
export interface Credential {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly signed?: boolean;
}

/** A web session of a person outside a browser, which sends its cookie by itself. `signInWithPassword` opens one. */
export interface SessionCredential {
  readonly sessionToken: string;
  readonly signed?: false;
}

export type ClientCredential = Credential | SessionCredential;

interface Target {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Text, or bytes that are not text. */
  readonly body: string | Uint8Array;
}

/** `now` is the time of a signature, in milliseconds, for a program whose clock may be wrong. */
export async function credentialHeaders(
  credential: ClientCredential | undefined,
  target: Target,
  now: () => number = Date.now,
): Promise<Record<string, string>> {
  if (!credential) return {};
  if ('sessionToken' in credential) return { cookie: sessionCookies(credential.sessionToken) };
  const { accessKey, secretKey } = credential;
  if (!credential.signed) return { authorization: `Basic ${base64(`${accessKey}:${secretKey}`)}` };

  const authorization = `${signedScheme} ${accessKey}`;
  const timestamp = String(Math.floor(now() / 1000));
  const nonce = crypto.randomUUID();
  const signed = canonicalBytes({ ...target, authorization, accessKey, timestamp, nonce }, false);
  return {
    authorization,
    'x-accesskey': accessKey,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': await sign(signed, secretKey),
  };
}

/** Under both names: which one the server reads depends on its public address. */
const sessionCookies = (token: string): string => `${sessionCookie}=${token}; ${hostSessionCookie}=${token}`;

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

// Web Crypto, so that the client also runs in a browser.
async function sign(bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytes);
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
