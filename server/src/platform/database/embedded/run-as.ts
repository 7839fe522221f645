import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { chmod, lchown, mkdir } from 'node:fs/promises';

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so under root it runs as another user, or in a
 * user namespace in which root's files belong to `nobody`.
 */
export interface RunAs {
  /** The owner of its files, as seen outside of any namespace. */
  readonly uid: number;
  readonly gid: number;
  readonly namespace: boolean;
}

export const nobodyID = 65534;

export function currentUser(): RunAs {
  return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1, namespace: false };
}

export function isRoot(): boolean {
  return currentUser().uid === 0;
}

/**
 * Starts a program as that user, in `/`, with an empty environment, and in its own session so that Ctrl-C in the
 * terminal does not reach it.
 */
export function spawnAs(runAs: RunAs, program: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const enterNamespace = ['unshare', '--user', `--map-user=${nobodyID}`, `--map-group=${nobodyID}`, '--'];
  const [file = program, ...rest] = [...(runAs.namespace ? enterNamespace : []), program, ...args];
  const identity = runAs.uid === currentUser().uid ? {} : { uid: runAs.uid, gid: runAs.gid };
  const env = { HOME: '/', LANG: 'C', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  return spawn(file, rest, { cwd: '/', env, detached: true, stdio, ...identity });
}

/** Only root can change the owner; the files of an ordinary user already have the right one. */
export async function giveTo(runAs: RunAs, path: string): Promise<void> {
  if (isRoot()) await lchown(path, runAs.uid, runAs.gid);
}

/** A folder that only that user may enter. */
export async function makePrivateFolder(runAs: RunAs, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await giveTo(runAs, path);
  await chmod(path, 0o700);
}
