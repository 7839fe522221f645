import { createHmac, randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

import type { DatabasePaths } from './paths.ts';
import { isCluster } from './paths.ts';
import type { RunAs } from './run-as.ts';
import { giveTo } from './run-as.ts';

export interface DatabasePasswords {
  /** Of PostgreSQL's superuser; used only by the launcher. */
  readonly administrator: string;
  /** Of the role that the platform uses. */
  readonly application: string;
}

/**
 * The file contains the superuser's password. The application's password is derived from it: there is one file to keep,
 * and a leaked connection string does not reveal the superuser's password.
 */
export async function ensurePasswords(paths: DatabasePaths, runAs: RunAs): Promise<DatabasePasswords> {
  const secret = (await readSecret(paths)) ?? (await writeSecret(paths));
  // initdb reads the file as the user that it runs as.
  await giveTo(runAs, paths.password);
  return passwordsFrom(secret);
}

/** Undefined if there is no database yet. */
export async function readPasswords(paths: DatabasePaths): Promise<DatabasePasswords | undefined> {
  const secret = await readSecret(paths);
  return secret === undefined ? undefined : passwordsFrom(secret);
}

const passwordsFrom = (secret: string): DatabasePasswords => ({
  administrator: secret,
  application: createHmac('sha256', secret).update('earshot').digest('base64url'),
});

async function readSecret({ password, cluster }: DatabasePaths): Promise<string | undefined> {
  const text = await readFile(password, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined && !(await isCluster(cluster))) return undefined;
  const secret = text?.trim() ?? '';
  if (/^[\w-]{43}$/.test(secret)) return secret;
  throw new Error(
    `the password of the database is missing or damaged: restore ${password} as it was when ${cluster} was made`,
  );
}

/** Written to another file and renamed when complete, so that a crash cannot leave an incomplete password. */
async function writeSecret({ password }: DatabasePaths): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const unfinished = `${password}.new-${randomBytes(6).toString('hex')}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, password);
  return secret;
}
