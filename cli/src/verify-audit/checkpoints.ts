import type { AuditHead } from '@earshot/contract/audit-head';
import type { LogFault } from './report.ts';
import { showLeaves } from './report.ts';

/** A root that the log must have at a size. */
export interface Checkpoint {
  readonly size: number;
  readonly root: string;
  /** For messages. */
  readonly name: string;
  readonly isKeptElsewhere: boolean;
}

export interface NamedHead {
  readonly name: string;
  readonly head: AuditHead;
}

export interface ComparedHeads {
  /** The smallest first. */
  readonly checkpoints: readonly Checkpoint[];
  readonly faults: readonly LogFault[];
  readonly notes: readonly string[];
}

/**
 * What the heads demand of the log. A head of an earlier epoch may be larger than the log was when the next epoch began:
 * its last entries were lost with the restore of an older backup, which is told and is no fault.
 */
export function listCheckpoints(own: AuditHead, kept: readonly NamedHead[]): ComparedHeads {
  const checkpoints: Checkpoint[] = [{ ...own, name: 'the head of the export', isKeptElsewhere: false }];
  const faults: LogFault[] = [];
  const lost = new Map<number, number>();
  for (const { startSize, startRoot, number } of own.epochs) {
    if (startRoot === undefined) continue;
    const name = `the head that epoch ${number} names`;
    checkpoints.push({ size: startSize, root: startRoot, name, isKeptElsewhere: false });
  }
  for (const { name, head } of kept) {
    const isKnown = head.epochs.every((epoch, index) => {
      const same = own.epochs[index];
      return same?.id === epoch.id && same.startSize === epoch.startSize && same.startRoot === epoch.startRoot;
    });
    if (!isKnown) {
      faults.push({ text: `${name} is of an epoch that the export does not have.` });
      continue;
    }
    const next = own.epochs[head.epochs.length];
    if (next && head.size > next.startSize) {
      lost.set(next.number, Math.max(lost.get(next.number) ?? 0, head.size - next.startSize));
    } else checkpoints.push({ ...head, name, isKeptElsewhere: true });
  }
  const notes = own.epochs.slice(1).map(({ number, startSize }) => {
    const count = lost.get(number);
    const loss = count === undefined ? '' : `; at least ${count} entries after it were lost`;
    return `Epoch ${number} began at leaf ${startSize}, when a backup was restored${loss}.`;
  });
  return { checkpoints: checkpoints.toSorted(bySize), faults, notes };
}

/** At one size, heads that were kept elsewhere come first: the others prove less. */
const bySize = (a: Checkpoint, b: Checkpoint): number =>
  a.size - b.size || Number(b.isKeptElsewhere) - Number(a.isKeptElsewhere);

/** Compares the roots of the log with the checkpoints while the log grows. */
export interface CheckpointWalk {
  /** To be called at every size, from 0. */
  pass(size: number, root: () => string): void;
  /** The log cannot be compared from here on. */
  breakOff(): void;
  end(size: number): {
    readonly faults: readonly LogFault[];
    readonly comparedHeads: number;
    readonly verifiedSize: number;
  };
}

export function walkCheckpoints(checkpoints: readonly Checkpoint[]): CheckpointWalk {
  const faults: LogFault[] = [];
  let [next, verifiedSize, comparedHeads] = [0, 0, 0];
  let isBroken = false;
  const compare = ({ size, root, name, isKeptElsewhere }: Checkpoint, found: string): void => {
    if (found === root) {
      if (isKeptElsewhere) [verifiedSize, comparedHeads] = [size, comparedHeads + 1];
      return;
    }
    const [from, to] = [verifiedSize, size - 1];
    faults.push({
      from,
      to,
      text: `${showLeaves(from, to)}: something differs from what was sealed; ${name} does not match.`,
    });
    // Every later head covers the same difference.
    isBroken = true;
  };
  return {
    pass(size, root) {
      for (let at = checkpoints[next]; at && at.size <= size; at = checkpoints[next]) {
        next += 1;
        if (!isBroken && at.size === size) compare(at, root());
      }
    },
    breakOff: () => void (isBroken = true),
    end(size) {
      const missed = checkpoints.findLast((checkpoint) => checkpoint.size > size);
      if (missed) {
        // The lines may have been numbered again, so the gap is anywhere after the last head that matches.
        const [from, to] = [Math.min(verifiedSize, size), missed.size - 1];
        const few = `the export ends at leaf ${size - 1}, but ${missed.name} has ${missed.size} leaves`;
        const text = `${showLeaves(from, to)}: ${missed.size - size} missing; ${few}. If the export is older, export again.`;
        faults.push({ from, to, text });
      }
      return { faults, comparedHeads, verifiedSize };
    },
  };
}
