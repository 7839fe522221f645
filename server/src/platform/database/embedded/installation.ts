import { type Binaries, findBinaries } from './binaries.ts';
import { chooseRunAs } from './choose-run-as.ts';
import { type Passwords, ensurePasswords } from './passwords.ts';
import { type DatabasePaths, prepareDatabasePaths } from './paths.ts';
import type { RunAs } from './run-as.ts';

/** What stays the same for as long as a data folder is served. */
export interface Installation {
  readonly paths: DatabasePaths;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly passwords: Passwords;
}

export async function prepareInstallation(dataDir: string, signal: AbortSignal): Promise<Installation> {
  const binaries = await findBinaries();
  const paths = await prepareDatabasePaths(dataDir);
  const runAs = await chooseRunAs(paths, binaries, signal);
  const passwords = await ensurePasswords(paths, runAs);
  return { paths, binaries, runAs, passwords };
}
