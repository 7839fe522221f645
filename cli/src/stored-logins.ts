import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

/** What `earshot login` keeps, in a file that only its owner can read. */
export interface StoredLogins {
  /** The server that commands use without `--url`. */
  readonly current?: string;
  readonly servers: Readonly<Record<string, StoredLogin>>;
}

export type StoredLogin = (
  | { readonly kind: 'session'; readonly sessionToken: string; readonly email: string }
  | { readonly kind: 'key'; readonly accessKey: string; readonly secretKey: string }
) & {
  /** The secret of the upload key that `earshot import rdio` made. */
  readonly importKey?: string;
};

type Env = Io['env'];

const homeOf = (env: Env): string => env['HOME'] || homedir();

export const loginsPath = (env: Env): string =>
  join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'earshot', 'logins.json');

/** For work that continues later. */
export const stateFolder = (env: Env): string =>
  join(env['XDG_STATE_HOME'] || join(homeOf(env), '.local', 'state'), 'earshot');

export async function readLogins(env: Env): Promise<StoredLogins> {
  const path = loginsPath(env);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} };
    throw new Failure(`Cannot read ${path}: ${(error as Error).message}.`);
  }
  try {
    const stored = JSON.parse(text) as StoredLogins;
    if (typeof stored === 'object' && stored !== null && typeof stored.servers === 'object') return stored;
  } catch {
    // Reported below.
  }
  throw new Failure(`${path} is damaged. Remove it and run “earshot login”.`);
}

export async function writeLogins(env: Env, logins: StoredLogins): Promise<void> {
  await writePrivate(loginsPath(env), `${JSON.stringify(logins, undefined, 2)}\n`);
}

/** Written to another name and renamed: the file is whole at every moment, and never readable by others. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await rm(temporary, { force: true });
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
