import type { StateMatch } from './matches.ts';

/** A match as it is stored; the end is null while it goes on. */
export interface StoredSpan {
  readonly key: number;
  readonly startMs: number;
  readonly endMs: number | null;
}

export interface SpanChange {
  readonly startMs: number;
  readonly endMs: number | null;
}

export interface Reconciled {
  readonly added: readonly SpanChange[];
  /** Stored ones that began elsewhere, or that go on again. */
  readonly moved: readonly (StoredSpan & SpanChange)[];
  /** Stored ones of which only the end is another. */
  readonly ended: readonly (StoredSpan & SpanChange)[];
  readonly withdrawn: readonly number[];
  /** What was read is perhaps too little: a state began before, or what is stored would be another span or none. */
  readonly isCut: boolean;
}

export interface ComparedMatches {
  /** All that were found; those of the future are left out here. */
  readonly found: readonly StateMatch[];
  readonly stored: readonly StoredSpan[];
  readonly nowMs: number;
  /** What ended before this time is not looked at. */
  readonly fromMs: number;
  /** A state that began at this time or before may have begun earlier: not all measurements of before were read. */
  readonly cutMs: number;
  /** Of the rule: what ended before is not recorded. */
  readonly changeMs: number;
}

/** Compares what was found with what is stored: a found match is the stored one that begins with it, else one that it overlaps. */
export function reconcile({ found, stored, nowMs, fromMs, cutMs, changeMs }: ComparedMatches): Reconciled {
  const present = found
    .filter(({ startMs, endMs }) => startMs <= nowMs && endMs > fromMs)
    .map(({ sinceMs, startMs, endMs }) => ({
      startMs,
      endMs: endMs <= nowMs ? endMs : null,
      isUnsure: sinceMs <= cutMs,
    }));
  const left = new Map(stored.map((each) => [each.key, each]));
  const take = (isSame: (each: StoredSpan) => boolean): StoredSpan | undefined => {
    const same = Array.from(left.values()).find(isSame);
    if (same) left.delete(same.key);
    return same;
  };
  const byStart = new Map(present.map((each) => [each, take(({ startMs }) => startMs === each.startMs)]));
  const added: SpanChange[] = [];
  const moved: (StoredSpan & SpanChange)[] = [];
  const ended: (StoredSpan & SpanChange)[] = [];
  let isCut = false;
  for (const each of present) {
    const same = byStart.get(each) ?? take((other) => isOverlapping(each, other));
    if (!same) {
      if (each.isUnsure) isCut = true;
      if (each.endMs === null || each.endMs > changeMs) added.push({ startMs: each.startMs, endMs: each.endMs });
      continue;
    }
    // What began before that began when it is stored to have begun.
    const startMs = each.isUnsure ? Math.min(each.startMs, same.startMs) : each.startMs;
    if (startMs !== same.startMs || (same.endMs !== null && each.endMs !== same.endMs)) isCut = true;
    const change = { key: same.key, startMs, endMs: each.endMs };
    if (startMs !== same.startMs || (each.endMs === null && same.endMs !== null)) moved.push(change);
    else if (each.endMs !== same.endMs) ended.push(change);
  }
  return { added, moved, ended, withdrawn: [...left.keys()], isCut: isCut || left.size > 0 };
}

const isOverlapping = (one: SpanChange, other: SpanChange): boolean =>
  one.startMs < (other.endMs ?? Infinity) && other.startMs < (one.endMs ?? Infinity);
