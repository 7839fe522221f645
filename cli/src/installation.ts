import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, Failure } from './failure.ts';
import type { Io } from './io.ts';

/** The folder of the platform that this command line belongs to; undefined if it was installed alone. */
export function findPlatform(from = dirname(fileURLToPath(import.meta.url))): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'server', 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function requirePlatform(command: string): string {
  const folder = findPlatform();
  if (folder !== undefined) return folder;
  throw new Failure(
    `“earshot ${command}” runs the platform itself, which is not part of this package. Run it in a checkout of Earshot.`,
    exitCodes.notFound,
  );
}

/** The data folder of a server that is started here: beside the platform, unless the setting names another one. */
export function dataFolderOf({ env, folder }: Pick<Io, 'env' | 'folder'>, platform: string): string {
  const given = env['EARSHOT_DATA_DIR'];
  return given ? resolve(folder, given) : join(platform, 'data');
}
