import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import type { Entry } from './recording.ts';
import { removeFile } from './remove-uploaded.ts';

/**
 * Keeps the recordings of this agent below a limit. Uploaded ones go first, then announced ones, then those that the
 * platform does not know, and last those that it refused; each group oldest first. Every file that was not uploaded is
 * named in the log.
 */
export async function keepBudget(
  journal: Journal,
  budgetMB: number,
  log: AgentLog,
  /** Throws unless the platform has proven that it has the recording. */
  requireProof: (entry: Entry) => Promise<void>,
): Promise<void> {
  const own = [...journal.entries.values()].filter(
    ({ isOwn, removedBecause }) => isOwn && removedBecause === undefined,
  );
  const isProven = (entry: Entry) =>
    requireProof(entry).then(
      () => true,
      (error: unknown) => {
        log.write('warning', `${entry.path} is kept: ${reasonOf(error)}`);
        return false;
      },
    );
  let bytes = own.reduce((sum, entry) => sum + entry.bytes, 0);
  for (const entry of own.sort((a, b) => rank(a) - rank(b) || a.startMs - b.startMs)) {
    if (bytes <= budgetMB * 1_000_000) return;
    if (entry.isUploaded && !(await isProven(entry))) continue;
    try {
      await removeFile(entry.path);
    } catch (error) {
      log.write('error', `${entry.path} could not be removed: ${reasonOf(error)}`);
      continue;
    }
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
