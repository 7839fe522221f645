import type { ClientConfig } from 'pg';
import { Client } from 'pg';
import { ConnectionError, toConnectionError } from './connection-error.ts';
import type { DatabaseTarget, HostAddress } from './connection-target.ts';
import { showHost } from './connection-target.ts';

export interface OpenedClient {
  readonly client: Client;
  readonly host: HostAddress;
}

/**
 * Connects to the first host that accepts a connection and is of the wanted kind. Names are looked up at each attempt. The
 * client has a listener for errors, because without one an error would end the process.
 */
export async function openClient(target: DatabaseTarget, more: ClientConfig = {}): Promise<OpenedClient> {
  const failures: Failure[] = [];
  for (const host of target.hosts) {
    try {
      const client = await openAt(target, host, more);
      prefer(target, host);
      return { client, host };
    } catch (error) {
      failures.push({ host, error: toConnectionError(error as Error) });
      avoid(target, host);
    }
  }
  throw reasonOf(failures);
}

export async function openAt(target: DatabaseTarget, host: HostAddress, more: ClientConfig): Promise<Client> {
  const { login, connectWithinMs, sessionKind } = target;
  const client = new Client({ ...host, ...login, connectionTimeoutMillis: connectWithinMs, ...more });
  client.on('error', () => {});
  try {
    await client.connect();
    if (sessionKind !== 'any') await requireWritable(client, host, connectWithinMs);
    return client;
  } catch (error) {
    closeClient(client);
    throw error;
  }
}

/** A host that is gone never confirms the end of a connection, so nothing waits for that. */
export function closeClient(client: Client): void {
  void client.end().catch(() => {});
  setTimeout(() => client.connection.stream.destroy(), closeWithinMs).unref();
}

const closeWithinMs = 1_000;

async function requireWritable(client: Client, host: HostAddress, withinMs: number): Promise<void> {
  const silent = setTimeout(() => client.connection.stream.destroy(), withinMs);
  try {
    const { rows } = await client.query<{ isWritable: boolean }>(
      `select not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean as "isWritable"`,
    );
    if (rows[0]?.isWritable !== true) throw new ConnectionError('CONNECTION_READ_ONLY', standbyText(host));
  } finally {
    clearTimeout(silent);
  }
}

export const standbyText = (host: HostAddress): string =>
  `the database at ${showHost(host)} is a standby or read-only, and a node makes changes`;

function prefer(target: DatabaseTarget, host: HostAddress): void {
  target.hosts = [host, ...target.hosts.filter((other) => other !== host)];
}

/** The next attempts try the others first: one that is gone costs each attempt the whole time limit. */
export function avoid(target: DatabaseTarget, host: HostAddress): void {
  target.hosts = [...target.hosts.filter((other) => other !== host), host];
}

interface Failure {
  readonly host: HostAddress;
  readonly error: Error;
}

/** A refusal of PostgreSQL, such as a wrong password, says more than a host that does not answer. */
function reasonOf(failures: readonly Failure[]): Error {
  const [first] = failures;
  const refused = failures.find(({ error }) => 'severity' in error);
  if (refused || failures.length <= 1)
    return (refused ?? first)?.error ?? new Error('no host of the database is known');
  const texts = failures.map(({ host, error }) => `${showHost(host)}: ${error.message}`);
  return new ConnectionError(
    'CONNECTION_CLOSED',
    `no host of the database can be used: ${texts.join('; ')}`,
    first?.error,
  );
}
