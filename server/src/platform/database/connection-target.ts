import type { ClientConfig } from 'pg';

export interface ConnectionSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

type Target = Pick<ClientConfig, 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl' | 'options'>;

const invalidPassword = '28P01';

/** pg calls it only if PostgreSQL asks for a password. Without it, pg would look for a file in the home folder. */
const passwordOf = (password: string) => (): string => {
  if (password) return password;
  const message = 'the database asks for a password, and none is set';
  throw Object.assign(new Error(message), { code: invalidPassword });
};

/** Accepts the settings of the embedded server, or the URL of an external one. */
export function readTarget(target: ConnectionSettings | string): Target {
  if (typeof target !== 'string') {
    const { host, port, database, username: user, password } = target;
    return { host, port, database, user, password: passwordOf(password), ssl: false };
  }
  const url = new URL(target);
  const { host: socketFolder, sslmode, ...parameters } = Object.fromEntries(url.searchParams);
  const host = socketFolder ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  const options = Object.entries(parameters).map(([name, value]) => optionOf(name, value));
  return {
    ...(host ? { host } : {}),
    ...(url.port ? { port: Number(url.port) } : {}),
    ...(database ? { database } : {}),
    ...(user ? { user } : {}),
    ...(options.length > 0 ? { options: options.join(' ') } : {}),
    password: passwordOf(decodeURIComponent(url.password)),
    ssl: readTls(sslmode),
  };
}

/** A setting of the session, such as `?search_path=recorders`. */
function optionOf(name: string, value: string): string {
  return name === 'options' ? value : `-c ${name}=${value.replaceAll('\\', '\\\\').replaceAll(' ', '\\ ')}`;
}

/** As in libpq: `require` encrypts without checking the certificate. The default is no encryption. */
function readTls(sslmode: string | undefined): ClientConfig['ssl'] {
  switch (sslmode) {
    case undefined:
    case 'disable':
      return false;
    case 'require':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { checkServerIdentity: () => undefined };
    case 'verify-full':
      return true;
    default:
      throw new Error(
        `sslmode=${sslmode} is not supported in the URL of the database; use disable, require, verify-ca or verify-full`,
      );
  }
}
