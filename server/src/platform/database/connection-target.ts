import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';

/*
 * The address of a database, as libpq reads it:
 *
 *   postgres://user:password@first:5432,second:5433/earshot?target_session_attrs=read-write&sslmode=verify-full
 */

export interface ConnectionSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

export type HostAddress = Pick<ClientConfig, 'host' | 'port'>;

/** Which servers are accepted: any, or only one that accepts changes. */
type SessionKind = 'any' | 'read-write' | 'primary';

export interface DatabaseTarget {
  /** In the order in which they are tried. The one that was connected to last stands first. */
  hosts: readonly HostAddress[];
  readonly sessionKind: SessionKind;
  /** How long a server may take to accept a connection. */
  readonly connectWithinMs: number;
  readonly login: Pick<ClientConfig, 'database' | 'user' | 'password' | 'ssl' | 'options'>;
}

const defaultConnectMs = 5_000;
const invalidPassword = '28P01';

/** pg calls it only if PostgreSQL asks for a password. Without it, pg would look for a file in the home folder. */
const passwordOf = (password: string) => (): string => {
  if (password) return password;
  const message = 'the database asks for a password, and none is set';
  throw Object.assign(new Error(message), { code: invalidPassword });
};

/** Accepts the settings of the embedded server, or the URL of an external one. */
export function readTarget(target: ConnectionSettings | string): DatabaseTarget {
  if (typeof target === 'string') return readUrl(target);
  const { host, port, database, username: user, password } = target;
  return {
    hosts: [{ host, port }],
    sessionKind: 'any',
    connectWithinMs: defaultConnectMs,
    login: { database, user, password: passwordOf(password), ssl: false },
  };
}

const shape =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;

/** Throws with a message that never repeats the URL: it may contain a password. */
function readUrl(text: string): DatabaseTarget {
  const parts = shape.exec(text)?.groups;
  if (!parts) throw new Error('must be a URL such as postgres://user:password@host:5432/database');
  const parameters = new Map(new URLSearchParams(parts['query']));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const hosts = readHosts(parts['hosts'] ?? '', take('host'), take('port'));
  const sessionKind = readSessionKind(take('target_session_attrs'), hosts.length);
  const connectWithinMs = readTimeout(take('connect_timeout'));
  const ssl = readTls(take('sslmode'), take('sslrootcert'));
  const options = Array.from(parameters, ([name, value]) => optionOf(name, value));
  const [database, user] = [decode(parts['database']), decode(parts['user'])];
  return {
    hosts: shuffled(hosts),
    sessionKind,
    connectWithinMs,
    login: {
      ...(database ? { database } : {}),
      ...(user ? { user } : {}),
      ...(options.length > 0 ? { options: options.join(' ') } : {}),
      password: passwordOf(decode(parts['password'])),
      ssl,
    },
  };
}

function decode(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % that does not begin an encoded character; write %25 for a % in the password');
  }
}

/** The parameters `host` and `port` win over the address; a socket is a `host` that begins with a slash. */
function readHosts(authority: string, host: string | undefined, port: string | undefined): HostAddress[] {
  const entries = authority === '' ? [] : authority.split(',').map(splitPort);
  const names = host === undefined ? entries.map(({ name }) => name) : host.split(',');
  const ports = port === undefined ? entries.map((entry) => entry.port) : port.split(',');
  if (ports.length > 1 && ports.length !== names.length)
    throw new Error(`names ${names.length} hosts and ${ports.length} ports; give one port, or one for each host`);
  const count = Math.max(names.length, 1);
  return Array.from({ length: count }, (_, at) => {
    const name = names[at] ?? '';
    const given = ports.length === 1 ? ports[0] : ports[at];
    return { ...(name ? { host: name } : {}), ...(given ? { port: readPort(given) } : {}) };
  });
}

function splitPort(entry: string): { readonly name: string; readonly port: string | undefined } {
  const found = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^:]*))(?::(?<port>.*))?$/.exec(entry)?.groups;
  if (!found) throw new Error('has a host that cannot be read; write host:port, and an IPv6 address in brackets');
  return { name: found['address'] ?? decode(found['name']), port: found['port'] };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error('has a port that is not a number from 1 to 65535');
}

/** Of several servers only one accepts changes, and a node makes changes. */
function readSessionKind(given: string | undefined, hostCount: number): SessionKind {
  if (given === undefined) return hostCount > 1 ? 'read-write' : 'any';
  if (given === 'any' || given === 'read-write' || given === 'primary') return given;
  throw new Error('has a target_session_attrs other than read-write, primary or any');
}

/** In seconds. As in libpq, 0 would mean no limit, which a node never wants. */
function readTimeout(given: string | undefined): number {
  if (given === undefined) return defaultConnectMs;
  const seconds = Number(given);
  if (/^\d{1,3}$/.test(given) && seconds >= 1) return seconds * 1_000;
  throw new Error('has a connect_timeout that is not a number of seconds from 1 to 999');
}

/** As in libpq: `require` encrypts without checking the certificate, unless a root certificate is given. */
function readTls(mode: string | undefined, rootCertificate: string | undefined): ClientConfig['ssl'] {
  const ca = rootCertificate === undefined || rootCertificate === 'system' ? {} : { ca: readRoot(rootCertificate) };
  const unnamed = { ...ca, checkServerIdentity: () => undefined };
  switch (mode) {
    case undefined:
    case 'disable':
      return false;
    case 'require':
      return rootCertificate === undefined ? { rejectUnauthorized: false } : unnamed;
    case 'verify-ca':
      return unnamed;
    case 'verify-full':
      return { ...ca };
    default:
      throw new Error(`has sslmode=${mode}; use disable, require, verify-ca or verify-full`);
  }
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`names a file in sslrootcert that cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** What libpq would do, and this program does not. Everything else is a setting of the session. */
const unsupported =
  /^(user|password|dbname|hostaddr|passfile|service|servicefile|require_auth|channel_binding|ssl\w+|gss\w*|krbsrvname|keepalives\w*|tcp_user_timeout|replication|load_balance_hosts|fallback_application_name|application_name|client_encoding|requirepeer|min_protocol_version|max_protocol_version|oauth_\w+|scram_\w+)$/;

/** A setting of the session, such as `?search_path=recorders`. */
function optionOf(name: string, value: string): string {
  if (unsupported.test(name))
    throw new Error(
      `has the parameter ${name}, which is not supported; known are host, port, target_session_attrs, connect_timeout, ` +
        'sslmode, sslrootcert, options and settings of the session',
    );
  return name === 'options' ? value : `-c ${name}=${value.replaceAll('\\', '\\\\').replaceAll(' ', '\\ ')}`;
}

/** In another order on each node, so that not all try the same server first. */
const shuffled = (hosts: readonly HostAddress[]): HostAddress[] =>
  hosts
    .map((host) => ({ host, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ host }) => host);

/** For messages: `first:5432`, without names of people and passwords. */
export const showHost = ({ host = 'localhost', port = 5432 }: HostAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
