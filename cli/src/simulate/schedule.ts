import type { DurationSummary } from './tally.ts';
import { countDurations } from './tally.ts';

/**
 * Starts actions at their times, whether earlier ones have ended or not: a slow server gets the same load as a fast one.
 * How late an action starts is counted; it is late if this process or its machine is busy.
 */
export interface Schedule {
  /** Repeats an action at a fixed period; the first one starts after `firstMs`. */
  every(periodMs: number, firstMs: number, act: () => void): void;
  /** No action starts from now on. */
  stop(): void;
  readonly dueCount: number;
  readonly startedCount: number;
  readonly lateness: DurationSummary;
}

interface Entry {
  dueMs: number;
  readonly periodMs: number;
  readonly act: () => void;
}

export function createSchedule(nowMs: () => number = () => performance.now()): Schedule {
  const heap: Entry[] = [];
  const lateness = countDurations();
  let startedCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Infinity;
  let isStopped = false;

  const run = () => {
    timer = undefined;
    for (let first = heap[0]; first && first.dueMs <= nowMs(); first = heap[0]) {
      if (isStopped) return;
      lateness.add(nowMs() - first.dueMs);
      startedCount += 1;
      first.act();
      // From the time at which it was due, so that lateness never lowers the rate.
      first.dueMs += first.periodMs;
      sink(heap);
    }
    arm();
  };
  const arm = () => {
    const first = heap[0];
    if (isStopped || !first || (timer && first.dueMs >= dueMs)) return;
    clearTimeout(timer);
    dueMs = first.dueMs;
    timer = setTimeout(run, Math.max(0, first.dueMs - nowMs()));
  };
  return {
    every(periodMs, firstMs, act) {
      heap.push({ dueMs: nowMs() + firstMs, periodMs, act });
      rise(heap);
      arm();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    get dueCount() {
      const late = isStopped ? [] : heap.filter((entry) => entry.dueMs <= nowMs());
      return (
        startedCount + late.reduce((sum, entry) => sum + 1 + Math.floor((nowMs() - entry.dueMs) / entry.periodMs), 0)
      );
    },
    get startedCount() {
      return startedCount;
    },
    get lateness() {
      return lateness.summary;
    },
  };
}

/** Moves the last entry of a binary heap to its place. */
function rise(heap: Entry[]): void {
  for (let at = heap.length - 1; at > 0;) {
    const above = (at - 1) >> 1;
    if (heap[above]!.dueMs <= heap[at]!.dueMs) return;
    swap(heap, at, above);
    at = above;
  }
}

/** Moves the first entry of a binary heap to its place. */
function sink(heap: Entry[]): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    const right = left + 1;
    if (left >= heap.length) return;
    const least = right < heap.length && heap[right]!.dueMs < heap[left]!.dueMs ? right : left;
    if (heap[at]!.dueMs <= heap[least]!.dueMs) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Entry[], a: number, b: number): void {
  const entry = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = entry;
}
