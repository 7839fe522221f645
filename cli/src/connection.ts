import type { ClientOptions } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { ClientCredential } from '@earshot/client/credential';
import { buildVersion } from '@earshot/contract/build-version';
import type { Connection } from './command.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import type { Io } from './io.ts';
import type { StoredLogin, StoredLogins } from './stored-logins.ts';
import { readLogins } from './stored-logins.ts';

const retries = 4;

/** The origin of a server's address. Throws a Failure that names where the address came from. */
function readServerAddress(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usageFailure(`${from} must be an address such as https://earshot.example.org, not “${text}”.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageFailure(`${from} must not contain a name or password. Use “earshot login”.`);
  }
  return url.origin;
}

/** The address of the server: the option, then the environment, then the last login. */
export function findAddress(io: Io, url: string | undefined, logins: StoredLogins): string {
  if (url !== undefined) return readServerAddress(url, '--url');
  const given = io.env['EARSHOT_URL'];
  if (given) return readServerAddress(given, 'EARSHOT_URL');
  if (logins.current !== undefined) return logins.current;
  throw usageFailure(
    'No server is known. Run “earshot login https://…”, or set EARSHOT_URL, EARSHOT_ACCESS_KEY and EARSHOT_SECRET_KEY.',
  );
}

/** The environment wins over a stored login. */
export function findCredential({ env }: Io, url: string, logins: StoredLogins): ClientCredential {
  const [accessKey, secretKey] = [env['EARSHOT_ACCESS_KEY'], env['EARSHOT_SECRET_KEY']];
  if (accessKey && secretKey) return { accessKey, secretKey, signed: true };
  // EARSHOT_SECRET_KEY alone is a setting of the server.
  if (accessKey) throw usageFailure('EARSHOT_ACCESS_KEY is set, but EARSHOT_SECRET_KEY is not. Set both or neither.');
  const login = logins.servers[url];
  if (login) return credentialOf(login);
  throw new Failure(
    `You are not signed in to ${url}. Run “earshot login ${url}”, or set EARSHOT_ACCESS_KEY and EARSHOT_SECRET_KEY.`,
    exitCodes.notAllowed,
  );
}

const credentialOf = (login: StoredLogin): ClientCredential =>
  login.kind === 'session'
    ? { sessionToken: login.sessionToken }
    : { accessKey: login.accessKey, secretKey: login.secretKey, signed: true };

/** `fetch` with the name of this program. */
export const namedFetch: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...(init?.headers as Record<string, string>), 'user-agent': `earshot/${buildVersion}` },
  });

export function createConnection(io: Io, url: string, credential: ClientCredential | undefined): Connection {
  const clientOptions: ClientOptions = {
    url,
    retries,
    // A call ends on Ctrl-C, whether or not its command passes a signal.
    fetch: (input, init) =>
      namedFetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, io.signal]) : io.signal }),
    ...(credential ? { credential } : {}),
  };
  return { url, clientOptions, client: createClient(clientOptions) };
}

export async function connectToServer(io: Io, url: string | undefined): Promise<Connection> {
  const logins = await readLogins(io.env);
  const address = findAddress(io, url, logins);
  return createConnection(io, address, findCredential(io, address, logins));
}
