import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
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
  /** With it, that user may pass through folders that are closed to others. Only root can give it. */
  readonly capability?: Capability | undefined;
}

/** The first gives less: to read. Containers often withhold it, and have the second: to read and write. */
export type Capability = 'dac_read_search' | 'dac_override';

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
  const wrapper = runAs.namespace ? enterNamespace : runAs.capability ? keepCapability(runAs, runAs.capability) : [];
  const [file = program, ...rest] = [...wrapper, program, ...args];
  // setpriv changes the user itself.
  const isSame = runAs.uid === currentUser().uid || runAs.capability !== undefined;
  const identity = isSame ? {} : { uid: runAs.uid, gid: runAs.gid };
  const env = { HOME: '/', LANG: 'C', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  return spawn(file, rest, { cwd: '/', env, detached: true, stdio, ...identity });
}

/**
 * Changes the user and keeps this capability alone. Without `no_setuid_fixup`, access(2) ignores the capability, and
 * PostgreSQL does not find its own program.
 */
function keepCapability({ uid, gid }: RunAs, capability: Capability): readonly string[] {
  return [
    'setpriv',
    '--securebits=+no_setuid_fixup',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--bounding-set=-all,+${capability}`,
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    '--',
  ];
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
