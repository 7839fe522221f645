import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Binaries } from './binaries.ts';
import type { DatabasePaths } from './paths.ts';
import { isCluster } from './paths.ts';
import type { Capability, RunAs } from './run-as.ts';
import { currentUser, makePrivateFolder, nobodyID } from './run-as.ts';
import { findErrorLine, runProgram } from './run-program.ts';

const asNobody: RunAs = { uid: nobodyID, gid: nobodyID, namespace: false };
const asRootInNamespace: RunAs = { uid: 0, gid: 0, namespace: true };
const capabilities: readonly Capability[] = ['dac_read_search', 'dac_override'];

/** For folders that the user may not enter, where user namespaces are not permitted. */
const withCapabilities = (runAs: RunAs): RunAs[] => capabilities.map((capability) => ({ ...runAs, capability }));

/**
 * Decides which user PostgreSQL runs as, and gives that user the database folder. The owner of an existing cluster
 * decides, so that every start uses the same user as the first.
 */
export async function chooseRunAs(paths: DatabasePaths, binaries: Binaries, signal: AbortSignal): Promise<RunAs> {
  const { candidates, belongs } = await listCandidates(paths);
  const obstacles: string[] = [];
  for (const candidate of candidates) {
    const obstacle = await findObstacle(candidate, paths, binaries, signal);
    if (obstacle === undefined) return candidate;
    obstacles.push(`${describe(candidate)}, ${obstacle}`);
  }
  throw new Error(
    `the embedded PostgreSQL cannot run${belongs}: ${obstacles.join('; ')}. ` +
      'Install Earshot outside of closed folders such as /root (for example in /opt/earshot), start it as an ordinary user, or set EARSHOT_DATABASE_URL',
  );
}

async function listCandidates(paths: DatabasePaths): Promise<{ candidates: RunAs[]; belongs: string }> {
  const self = currentUser();
  const home = await stat(paths.home);
  const owner = await stat(paths.cluster).catch(() => undefined);
  const stranger = [home, owner].find((found) => found !== undefined && found.uid !== self.uid);
  if (self.uid !== 0 && stranger !== undefined) {
    throw new Error(
      `the database folder ${paths.home} belongs to user ${stranger.uid} and Earshot runs as user ${self.uid}: ` +
        'start it as that user, or change the owner of the folder and everything in it',
    );
  }
  if (self.uid !== 0) return { candidates: [self], belongs: '' };
  if (owner === undefined || !(await isCluster(paths.cluster))) {
    return { candidates: [asNobody, asRootInNamespace, ...withCapabilities(asNobody)], belongs: '' };
  }
  const asOwner: RunAs = { uid: owner.uid, gid: owner.gid, namespace: false };
  const candidates = owner.uid === 0 ? [asRootInNamespace] : [asOwner, ...withCapabilities(asOwner)];
  return { candidates, belongs: ` on ${paths.cluster}, which belongs to user ${owner.uid}` };
}

function describe(runAs: RunAs): string {
  if (runAs.namespace) return 'as root in a user namespace';
  return `as user ${runAs.uid}${runAs.capability === undefined ? '' : ` with the capability ${runAs.capability}`}`;
}

async function findObstacle(
  runAs: RunAs,
  paths: DatabasePaths,
  binaries: Binaries,
  signal: AbortSignal,
): Promise<string | undefined> {
  const closed =
    runAs.capability === undefined &&
    ((await findClosedFolder(runAs, paths.home)) ?? (await findClosedFolder(runAs, binaries.postgres)));
  if (closed) return `the folder ${closed} cannot be entered`;
  try {
    await makePrivateFolder(runAs, paths.home);
    const { exitCode, output } = await runProgram(runAs, binaries.postgres, ['--version'], { boundMs: 10_000, signal });
    return exitCode === 0 ? undefined : `its program does not run (${findErrorLine(output)})`;
  } catch (error) {
    signal.throwIfAborted();
    return (error as Error).message;
  }
}

/** The first folder on the path that this user, without root's privileges, may not enter. */
async function findClosedFolder(runAs: RunAs, path: string): Promise<string | undefined> {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const { mode, uid, gid } = await stat(folder);
  const mayEnter = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001;
  return (mode & mayEnter) === 0 ? folder : findClosedFolder(runAs, folder);
}
