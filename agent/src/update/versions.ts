import { createHash } from 'node:crypto';
import { open, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { saveFolder } from '../save-folder.ts';

/*
 * The files of an installed agent:
 *
 *   <home>/launch.mjs              the launcher, which an update does not change
 *   <home>/versions/<sha256>.mjs   versions of the agent
 *   <home>/current                 a link to the version that runs
 *   <home>/trial                   an update whose new version has not confirmed yet, or that failed
 *
 * Each change is on the disk before the next one, and replaces a whole file or link. An update, step by step:
 *
 *   agent     stores the new version; notes the update in its journal; writes the trial; switches `current`; ends
 *   launcher  counts the start in the trial and starts the new version
 *   agent     (new) reaches the platform; removes the trial, which confirms the version; reports the event
 *
 * If the new version ends, or does not confirm in time: the launcher notes the failure in the trial, switches `current` back
 * and starts the former version, which reports the failure and removes the trial. After a power loss, the trial and `current`
 * tell which step comes next.
 */

export interface Trial {
  readonly from: string;
  readonly to: string;
  /** How often the new version was started. */
  readonly starts: number;
  /** Why the launcher went back to the former version. */
  readonly failure?: string | undefined;
}

/** The exit code of an agent that its launcher starts again at once. */
export const restartExitCode = 75;
/** The exit code of an agent that cannot use its configuration. */
export const configExitCode = 78;
export const defaultConfirmSeconds = 120;
/** What a version that reached the platform sends to its launcher. */
export const confirmedMessage = 'confirmed';

const hashPattern = /^[0-9a-f]{64}$/;
export const isHash = (text: unknown): text is string => typeof text === 'string' && hashPattern.test(text);
export const versionsFolder = (home: string): string => join(home, 'versions');
export const versionPath = (home: string, hash: string): string => join(versionsFolder(home), `${hash}.mjs`);
const trialPath = (home: string): string => join(home, 'trial');

/** The hash of the version that `current` names. */
export async function readCurrent(home: string): Promise<string> {
  const link = await readlink(join(home, 'current')).catch(() => '');
  const hash = basename(link, '.mjs');
  if (!isHash(hash)) throw new Error(`${join(home, 'current')} does not name a version; install the agent again.`);
  return hash;
}

export async function switchCurrent(home: string, hash: string): Promise<void> {
  const next = join(home, 'current.next');
  await rm(next, { force: true });
  await symlink(join('versions', `${hash}.mjs`), next);
  await rename(next, join(home, 'current'));
  await saveFolder(home);
}

export async function readTrial(home: string): Promise<Trial | undefined> {
  try {
    const trial = JSON.parse(await readFile(trialPath(home), 'utf8')) as Trial;
    return isHash(trial.from) && isHash(trial.to) ? trial : undefined;
  } catch {
    return undefined;
  }
}

export const writeTrial = (home: string, trial: Trial): Promise<void> =>
  writeWhole(trialPath(home), JSON.stringify(trial));

export async function removeTrial(home: string): Promise<void> {
  await rm(trialPath(home), { force: true });
  await saveFolder(home);
}

/** The file is either absent, as before, or complete. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(`${path}.next`, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.next`, path);
  await saveFolder(dirname(path));
}

export const hashOfVersion = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
