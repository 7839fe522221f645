import { randomBytes } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';

export const personPassword = 'a password for tests';

/** A person who is signed in with a browser, and their credentials. */
export interface Person {
  readonly userID: number;
  readonly email: string;
  readonly cookie: string;
  /** Calls in their web session. */
  readonly session: Client;
  /** Calls with a new API key of theirs. */
  withKey(options?: {
    signed?: boolean;
    deviceID?: number;
    isWriteOnly?: boolean;
  }): Promise<{ client: Client; credential: Credential; apiKeyID: number }>;
}

export function createPeople(url: string) {
  /** A person whose session exists already. */
  const inSession = ({ userID, email, cookie }: Pick<Person, 'userID' | 'email' | 'cookie'>): Person => {
    const session = createClient({ url, fetch: withCookie(cookie) });
    return {
      userID,
      email,
      cookie,
      session,
      async withKey({ signed = false, deviceID, isWriteOnly = false } = {}) {
        const key =
          deviceID === undefined
            ? await session.createApiKey()
            : await session.createDeviceKey({ params: { deviceID }, body: { isWriteOnly } });
        const credential = { accessKey: key.accessKey ?? '', secretKey: key.secretKey ?? '', signed };
        return { credential, apiKeyID: key.key ?? 0, client: createClient({ url, credential }) };
      },
    };
  };
  const signIn = async (email: string, password: string): Promise<Person> => {
    const response = await fetch(new URL('/v1/session', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`signing in failed: ${await response.text()}`);
    const { userID } = (await response.json()) as { userID: number };
    return inSession({ userID, email, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' });
  };
  return {
    inSession,
    signIn,
    async add(admin: Person, { role = 'member', email }: { role?: 'admin' | 'member'; email?: string } = {}) {
      const address = email ?? `${randomBytes(4).toString('hex')}@example.org`;
      await admin.session.createUser({ body: { email: address, password: personPassword, role } });
      return signIn(address, personPassword);
    },
  };
}

const withCookie =
  (cookie: string): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
