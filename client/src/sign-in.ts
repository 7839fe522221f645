import type { Session } from '@earshot/contract/session';
import { createSession, hostSessionCookie, sessionCookie } from '@earshot/contract/session';
import { ApiError } from './api-error.ts';
import type { ClientOptions } from './client.ts';
import type { SessionCredential } from './credential.ts';
import { sendRequest } from './send-request.ts';

export interface SignedIn {
  readonly session: Session;
  /** For `createClient`. Undefined in a browser, which keeps the cookie itself. */
  readonly credential: SessionCredential | undefined;
}

/** Signs in with an e-mail address and a password. `client.deleteSession()` signs out. */
export async function signInWithPassword(
  options: Pick<ClientOptions, 'url' | 'fetch'>,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const { method, path } = createSession;
  const response = await sendRequest(options, {
    method,
    url: new URL(path, options.url),
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const text = await response.text();
  if (!response.ok) throw ApiError.from(response, text);
  const sessionToken = readToken(response.headers);
  return {
    session: JSON.parse(text) as Session,
    credential: sessionToken === undefined ? undefined : { sessionToken },
  };
}

function readToken(headers: Headers): string | undefined {
  const given = headers.getSetCookie?.().map((cookie) => cookie.split(/[=;]/, 2));
  return given?.find(([name]) => name === sessionCookie || name === hostSessionCookie)?.[1];
}
