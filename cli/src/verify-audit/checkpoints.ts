import type { AuditEpoch, AuditHead } from '@earshot/contract/audit-head';
import { isProof } from '@earshot/contract/kept-heads';
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
  readonly gaps: readonly LogFault[];
  readonly notes: readonly string[];
}

/**
 * What the heads demand of the log, and which of them it cannot be compared with. A head of an earlier epoch may be larger
 * than the log was when the next epoch began: its last entries were lost with the restore of an older backup. That is no
 * fault, but an operator could take entries out in this way.
 */
export function listCheckpoints(own: AuditHead, kept: readonly NamedHead[]): ComparedHeads {
  const checkpoints: Checkpoint[] = [{ ...own, name: 'the head of the export', isKeptElsewhere: false }];
  for (const { startSize, startRoot, number } of own.epochs) {
    if (startRoot === undefined) continue;
    const name = `the head that epoch ${number} names`;
    checkpoints.push({ size: startSize, root: startRoot, name, isKeptElsewhere: false });
  }
  const related = (relation: Relation) => kept.filter(({ head }) => relationOf(own, head) === relation);
  for (const { name, head } of related('covered')) checkpoints.push({ ...head, name, isKeptElsewhere: true });
  /** Tells of the largest only: there may be thousands. */
  const told = (relation: Relation, tell: (one: NamedHead) => LogFault): LogFault[] =>
    related(relation)
      .toSorted((a, b) => b.head.size - a.head.size)
      .slice(0, 1)
      .map(tell);
  return {
    checkpoints: checkpoints.toSorted(bySize),
    faults: [
      ...related('other').map(({ name }) => ({ text: `${name} is of an epoch that the export does not have.` })),
      ...told('shrunk', (one) => tellMissing(own, one, 'The export is younger than it: entries were taken out.')),
    ],
    gaps: [
      ...told('beyond', (one) => tellMissing(own, one, 'If the export is older, export again.')),
      ...told('later epoch', tellLaterEpoch),
      ...told('lost', (one) => tellLost(own, one)),
    ],
    notes: [
      ...own.epochs
        .slice(1)
        .map(({ number, startSize }) => `Epoch ${number} began at leaf ${startSize}, when a backup was restored.`),
      ...related('empty').map(({ name }) => `${name} is of an empty log: it proves nothing.`),
    ],
  };
}

/** How a head that was kept elsewhere stands to the log of the export. */
type Relation = 'covered' | 'beyond' | 'shrunk' | 'lost' | 'later epoch' | 'other' | 'empty';

function relationOf(own: AuditHead, head: AuditHead): Relation {
  if (!isProof(head)) return 'empty';
  const isOlderExport = own.signedDate < head.signedDate;
  if (!isBeginning(head.epochs, own.epochs)) {
    return isOlderExport && isBeginning(own.epochs, head.epochs) ? 'later epoch' : 'other';
  }
  if (isLost(own, head)) return 'lost';
  if (head.size <= own.size) return 'covered';
  return isOlderExport ? 'beyond' : 'shrunk';
}

const isBeginning = (epochs: readonly AuditEpoch[], all: readonly AuditEpoch[]): boolean =>
  epochs.every(({ id, startSize, startRoot }, index) => {
    const same = all[index];
    return same?.id === id && same.startSize === startSize && same.startRoot === startRoot;
  });

/** Whether entries of the head were lost when a backup was restored. */
export function isLost(own: AuditHead, head: AuditHead): boolean {
  const next = own.epochs[head.epochs.length];
  return next !== undefined && isBeginning(head.epochs, own.epochs) && head.size > next.startSize;
}

function tellMissing(own: AuditHead, { name, head }: NamedHead, advice: string): LogFault {
  const [from, to] = [own.size, head.size - 1];
  const text = `${showLeaves(from, to)}: not in the export; ${name} has ${head.size} leaves. ${advice}`;
  return { from, to, text };
}

const tellLaterEpoch = ({ name, head }: NamedHead): LogFault => ({
  text: `${name} is of epoch ${head.epochs.length}, which began after the export was made. Export again.`,
});

function tellLost(own: AuditHead, { name, head }: NamedHead): LogFault {
  const { number, startSize = 0 } = own.epochs[head.epochs.length] ?? {};
  const count = head.size - startSize;
  return {
    text:
      `At least ${count} entries are not in the log: ${name} has ${head.size} leaves, but epoch ${number} began at leaf ` +
      `${startSize}. They were lost, or taken out, when the backup was restored.`,
  };
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
        const text = `${showLeaves(from, to)}: ${missed.size - size} missing; ${few}.`;
        faults.push({ from, to, text });
      }
      return { faults, comparedHeads, verifiedSize };
    },
  };
}
