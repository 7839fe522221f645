import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import type { Entry } from './recording.ts';
import { removeFile } from './remove-uploaded.ts';

export interface BudgetParts {
  readonly journal: Journal;
  readonly log: AgentLog;
  /** Throws unless the platform has proven that it has the recording. */
  readonly requireProof: (entry: Entry) => Promise<void>;
  /** Why recordings stay that should go, as it was logged: each reason once, and not each minute. */
  readonly staying: Map<string, string>;
}

/**
 * Keeps the recordings of this agent below a limit. Uploaded ones go first, then announced ones, then those that the
 * platform does not know, and last those that it refused; each group oldest first. Every file that was not uploaded is
 * named in the log.
 */
export async function keepBudget(parts: BudgetParts, budgetMB: number): Promise<void> {
  const { journal, log, requireProof, staying } = parts;
  const own = [...journal.entries.values()].filter(
    ({ isOwn, removedBecause }) => isOwn && removedBecause === undefined,
  );
  const stay = (entry: Entry, level: 'warning' | 'error', reason: string): false => {
    if (staying.get(entry.id) !== reason) log.write(level, `${entry.path} ${reason}`);
    staying.set(entry.id, reason);
    return false;
  };
  const isProven = (entry: Entry) =>
    requireProof(entry).then(
      () => true,
      (error: unknown) => stay(entry, 'warning', `is kept: ${reasonOf(error)}`),
    );
  const isGone = (entry: Entry) =>
    removeFile(entry.path).then(
      () => true,
      (error: unknown) => stay(entry, 'error', `could not be removed: ${reasonOf(error)}`),
    );
  let bytes = own.reduce((sum, entry) => sum + entry.bytes, 0);
  for (const entry of own.sort((a, b) => rank(a) - rank(b) || a.startMs - b.startMs)) {
    if (bytes <= budgetMB * 1_000_000) return;
    if (entry.isUploaded && !(await isProven(entry))) continue;
    if (!(await isGone(entry))) continue;
    staying.delete(entry.id);
    await journal.setRemoved(entry, entry.isUploaded ? 'uploaded' : 'the disk budget was used up');
    bytes -= entry.bytes;
    if (!entry.isUploaded)
      log.write(
        'error',
        `Removed ${entry.path}, which was not ${entry.clipID ? 'uploaded' : 'announced'}: the disk budget of ${budgetMB} MB is used up.`,
      );
  }
}

const rank = ({ isUploaded, clipID, setAside }: Entry): number =>
  isUploaded ? 0 : setAside ? 3 : clipID === undefined ? 2 : 1;
