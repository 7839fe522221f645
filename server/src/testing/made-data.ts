import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** With the owners of the files: PostgreSQL may run as another user. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

/**
 * Makes the data folder with a PostgreSQL that was created, migrated and stopped before, without records. It is for tests
 * that are not about the creation, which takes one and a half seconds of processor time.
 */
export async function makeDataFolder(path: string): Promise<string> {
  await copyDataFolder(inject('postgres').madeDataDir, path);
  return path;
}
