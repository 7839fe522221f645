import { stat } from 'node:fs/promises';
import { diskPath, showPath } from './file-name.ts';
import { isInside } from './is-inside.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import type { Entry } from './recording.ts';
import { filesOf } from './recording.ts';

export interface VanishedParts {
  readonly journal: Journal;
  readonly log: AgentLog;
}

/** Why the journal says that a file is removed that somebody else removed. */
export const missing = 'missing';

/**
 * Notes recordings of a folder whose files are gone, so that the journal can forget them. `found` are the paths of a whole
 * look. A recording that has another file keeps that one.
 */
export async function noteVanished(parts: VanishedParts, folder: string, found: ReadonlySet<string>): Promise<void> {
  const isCandidate = ({ isOwn, path, removedBecause }: Entry) =>
    !isOwn && removedBecause === undefined && !found.has(path) && isInside(folder, path);
  const gone: Entry[] = [];
  for (const entry of parts.journal.entries.values()) {
    if (!isCandidate(entry) || !(await isGone(entry.path))) continue;
    const other = filesOf(entry).find(({ path }) => found.has(path));
    if (other) await parts.journal.move(entry, other);
    else gone.push(entry);
  }
  await noteRemoved(parts, gone);
}

/** Notes recordings that were set aside and whose files are gone, wherever they were. */
export async function noteVanishedAside(parts: VanishedParts): Promise<void> {
  const gone: Entry[] = [];
  for (const entry of parts.journal.entries.values())
    if (entry.setAside && entry.removedBecause === undefined && (await isGone(entry.path))) gone.push(entry);
  await noteRemoved(parts, gone);
}

/** Whether nothing is left of a recording's file. If it has another one, that is used from now on. */
export async function noteMissingFile(parts: VanishedParts, entry: Entry): Promise<boolean> {
  if (!(await isGone(entry.path))) return false;
  for (const other of entry.otherFiles ?? []) {
    if (await isGone(other.path)) continue;
    await parts.journal.move(entry, other);
    return false;
  }
  await noteRemoved(parts, [entry]);
  return true;
}

/** The file has other bytes: the look at its folder finds it as another recording. */
export async function noteReplacedFile({ journal, log }: VanishedParts, entry: Entry): Promise<void> {
  const [other] = entry.otherFiles ?? [];
  if (other) return journal.move(entry, other);
  await journal.setRemoved(entry, 'replaced');
  log.write('error', `${showPath(entry.path)} was replaced before its upload; its former sound is lost.`);
}

async function noteRemoved({ journal, log }: VanishedParts, gone: readonly Entry[]): Promise<void> {
  if (gone.length > 0) await journal.setRemoved(gone, missing);
  for (const { path, isUploaded, setAside } of gone) {
    if (isUploaded) continue;
    const state = setAside ? 'while it was set aside' : 'before its upload';
    log.write('error', `${showPath(path)} vanished ${state}; its sound is lost.`);
  }
}

/** Other errors than a missing file say nothing. */
const isGone = (path: string): Promise<boolean> =>
  stat(diskPath(path)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
