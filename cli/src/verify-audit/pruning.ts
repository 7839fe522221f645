import type { PrunedEntries } from '@earshot/contract/audit-head';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import type { LogFault } from './report.ts';
import { showLeaves } from './report.ts';

/** Entries are sealed in the order in which they were written; their dates may be earlier by the time of a request. */
const slackMs = 3_600_000;

const mostListed = 1_000;

/** Finds entries that were left out as if they had been pruned. */
export interface PruningWatch {
  pass(index: number, entry: SealedEntry | undefined): void;
  count(): number;
  end(): { readonly faults: readonly LogFault[]; readonly gaps: readonly LogFault[] };
}

/**
 * The number of pruned entries is signed, so more are a fault. As many, but some after entries that are younger than what was
 * pruned, are a fault if others are there that must have been pruned: somebody has exchanged them. Otherwise the clock of
 * the server was wrong when they were written, or its operator has counted them as pruned: nobody can tell.
 */
export function watchPruning(pruned: PrunedEntries | undefined): PruningWatch {
  const young: number[] = [];
  let [youngCount, lastYoung] = [0, 0];
  const { count: allowed, keptSince } = pruned ?? { count: 0, keptSince: undefined };
  const keptSinceMs = keptSince === undefined ? Number.NEGATIVE_INFINITY : Date.parse(keptSince);
  let [count, last, latestMs] = [0, 0, Number.NEGATIVE_INFINITY];
  let isOldThere = false;
  return {
    pass(index, entry) {
      if (entry) {
        const entryMs = Date.parse(entry.auditDate);
        latestMs = Math.max(latestMs, entryMs);
        isOldThere ||= entryMs < keptSinceMs;
        return;
      }
      count += 1;
      last = index;
      if (pruned !== undefined && latestMs <= keptSinceMs + slackMs) return;
      [youngCount, lastYoung] = [youngCount + 1, index];
      if (young.length < mostListed) young.push(index);
    },
    count: () => count,
    end() {
      const tooYoung = young.map((index) => ({ from: index, to: index, text: `leaf ${index}: ${withheld}` }));
      if (count > allowed)
        return { faults: tooYoung.length > 0 ? tooYoung : [tooMany(count, allowed, last)], gaps: [] };
      return isOldThere
        ? { faults: tooYoung, gaps: [] }
        : { faults: [], gaps: doubtful(young[0], lastYoung, youngCount) };
    },
  };
}

const withheld = 'the entry is withheld; it is too young to be pruned.';

const tooMany = (count: number, allowed: number, last: number): LogFault => ({
  from: last,
  to: last,
  text: `Entries are withheld: ${allowed} were pruned, but ${count} are missing, the last of them leaf ${last}.`,
});

function doubtful(from: number | undefined, to: number, count: number): readonly LogFault[] {
  if (from === undefined) return [];
  const text =
    `${showLeaves(from, to)}: ${count} entries are pruned between younger ones. The clock of the server was wrong when ` +
    'they were written, or they were withheld.';
  return [{ from, to, text }];
}
