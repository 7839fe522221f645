import { mkdtemp, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { PostgresInstallation } from './installation.ts';
import { readLivePostmaster, readPostmasterFile } from './postmaster-file.ts';
import { giveTo, makePrivateFolder } from './run-as.ts';
import { pollFor } from './waiting.ts';

/** Part of the socket's file name; no TCP port is bound. */
export const port = 5432;

const socketName = `.s.PGSQL.${port}`;
const temporaryPrefix = 'earshot-postgres-';

/** The kernel's limit is 107 bytes. */
const longestSocketPathBytes = 100;

export function socketLockIn(folder: string): string {
  return join(folder, `${socketName}.lock`);
}

/** The folder of the running postmaster's socket, or a new one. */
export async function settleSocketFolder(installation: PostgresInstallation, signal: AbortSignal): Promise<string> {
  const { cluster } = installation.paths;
  if ((await readLivePostmaster(cluster)) === undefined) return makeSocketFolder(installation);
  const patience = { boundMs: 10_000, everyMs: 50, signal };
  const settled = await pollFor(async () => {
    const live = await readLivePostmaster(cluster);
    // The postmaster may exit meanwhile, or not have opened its socket yet.
    return live === undefined ? '' : live.socketFolder || undefined;
  }, patience);
  return settled || makeSocketFolder(installation);
}

async function makeSocketFolder({ paths, runAs }: PostgresInstallation): Promise<string> {
  const abandoned = await readPostmasterFile(paths.cluster);
  if (abandoned !== undefined) await removeTemporaryFolder(abandoned.socketFolder);
  if (isUsable(paths.run)) {
    await makePrivateFolder(runAs, paths.run);
    return paths.run;
  }
  const base = isUsable(join(tmpdir(), `${temporaryPrefix}XXXXXX`)) ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(base, temporaryPrefix));
  await giveTo(runAs, folder);
  return folder;
}

/** A comma separates folders in PostgreSQL's setting. */
function isUsable(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= longestSocketPathBytes && !folder.includes(',');
}

/**
 * Removes a folder that was created in the temporary folder; leaves any other unchanged. The path may come from a file
 * that another user can write, so only the files of PostgreSQL are removed.
 */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(temporaryPrefix)) return;
  const files = [join(folder, socketName), socketLockIn(folder)];
  await Promise.allSettled(files.map((file) => unlink(file)));
  await rmdir(folder).catch(() => undefined);
}
