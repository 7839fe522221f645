import type { Binaries } from './binaries.ts';
import { findBinaries } from './binaries.ts';
import { chooseRunAs } from './choose-run-as.ts';
import type { DatabasePasswords } from './passwords.ts';
import { ensurePasswords } from './passwords.ts';
import type { DatabasePaths } from './paths.ts';
import { prepareDatabasePaths } from './paths.ts';
import type { RunAs } from './run-as.ts';

/** Stays constant while a data folder is in use. */
export interface PostgresInstallation {
  readonly paths: DatabasePaths;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly passwords: DatabasePasswords;
  readonly isDisposable: boolean;
}

export async function prepareInstallation(
  dataDir: string,
  isDisposable: boolean,
  signal: AbortSignal,
): Promise<PostgresInstallation> {
  const binaries = await findBinaries();
  const paths = await prepareDatabasePaths(dataDir);
  const runAs = await chooseRunAs(paths, binaries, signal);
  const passwords = await ensurePasswords(paths, runAs);
  return { paths, binaries, runAs, passwords, isDisposable };
}
