import type { PrunedEntries } from '@earshot/contract/audit-head';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import type { LogFault } from './report.ts';

/** Entries are sealed in the order in which they were written; their dates may be earlier by the time of a request. */
const slackMs = 3_600_000;

/** Finds entries that were left out as if they had been pruned. */
export interface PruningWatch {
  pass(index: number, entry: SealedEntry | undefined): void;
  count(): number;
  end(): readonly LogFault[];
}

export function watchPruning(pruned: PrunedEntries | undefined): PruningWatch {
  const faults: LogFault[] = [];
  const keptSinceMs = pruned ? Date.parse(pruned.keptSince) : Number.NEGATIVE_INFINITY;
  let [count, last, latestMs] = [0, 0, Number.NEGATIVE_INFINITY];
  return {
    pass(index, entry) {
      if (entry) {
        latestMs = Math.max(latestMs, Date.parse(entry.auditDate));
        return;
      }
      count += 1;
      last = index;
      const isTooYoung = pruned === undefined || latestMs > keptSinceMs + slackMs;
      if (isTooYoung)
        faults.push({
          from: index,
          to: index,
          text: `leaf ${index}: the entry is withheld; it is too young to be pruned.`,
        });
    },
    count: () => count,
    end() {
      const allowed = pruned?.count ?? 0;
      if (faults.length > 0 || count <= allowed) return faults;
      const text = `Entries are withheld: ${allowed} were pruned, but ${count} are missing, the last of them leaf ${last}.`;
      return [{ from: last, to: last, text }];
    },
  };
}
