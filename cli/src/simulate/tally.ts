/** Durations in milliseconds, counted in buckets that are 5 % wide: constant memory for any number of values. */
export interface Durations {
  add(ms: number): void;
  readonly summary: DurationSummary;
}

export interface DurationSummary {
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const growth = Math.log(1.05);
const leastMs = 0.1;

export function countDurations(): Durations {
  const buckets: number[] = [];
  let count = 0;
  let maxMs = 0;
  const quantile = (share: number): number => {
    let left = Math.ceil(share * count);
    for (const [at, inBucket] of buckets.entries()) {
      left -= inBucket ?? 0;
      if (left <= 0) return Math.min(maxMs, leastMs * Math.exp(at * growth));
    }
    return maxMs;
  };
  return {
    add(ms) {
      const at = Math.max(0, Math.ceil(Math.log(Math.max(ms, leastMs) / leastMs) / growth));
      while (buckets.length <= at) buckets.push(0);
      buckets[at]! += 1;
      count += 1;
      maxMs = Math.max(maxMs, ms);
    },
    get summary() {
      return count === 0
        ? { count, medianMs: 0, p99Ms: 0, maxMs: 0 }
        : { count, medianMs: round(quantile(0.5)), p99Ms: round(quantile(0.99)), maxMs: round(maxMs) };
    },
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

export interface ErrorCount {
  /** The operation, and the status or the reason why there was no response. */
  readonly kind: string;
  readonly count: number;
  /** The message of the first one. */
  readonly example: string;
}

/** What was sent and how it was answered. */
export interface Tally {
  answered(operation: string, ms: number): void;
  failed(operation: string, reason: string, example: string): void;
  /** After an outage, requests that were asked to come later are counted apart from errors. */
  mayTurnAway: boolean;
  turnedAway(): void;
  readonly turnedAwayCount: number;
  readonly requestCount: number;
  readonly errorCount: number;
  readonly requests: Readonly<Record<string, DurationSummary>>;
  readonly errors: readonly ErrorCount[];
}

export function createTally(): Tally {
  const requests = new Map<string, Durations>();
  const errors = new Map<string, { count: number; readonly example: string }>();
  let requestCount = 0;
  let errorCount = 0;
  let turnedAwayCount = 0;
  return {
    mayTurnAway: false,
    turnedAway: () => void (turnedAwayCount += 1),
    get turnedAwayCount() {
      return turnedAwayCount;
    },
    answered(operation, ms) {
      requestCount += 1;
      let durations = requests.get(operation);
      if (!durations) requests.set(operation, (durations = countDurations()));
      durations.add(ms);
    },
    failed(operation, reason, example) {
      errorCount += 1;
      const kind = `${operation}: ${reason}`;
      const known = errors.get(kind);
      if (known) known.count += 1;
      else errors.set(kind, { count: 1, example });
    },
    get requestCount() {
      return requestCount;
    },
    get errorCount() {
      return errorCount;
    },
    get requests() {
      return Object.fromEntries([...requests].map(([name, durations]) => [name, durations.summary]));
    },
    get errors() {
      return [...errors].map(([kind, { count, example }]) => ({ kind, count, example }));
    },
  };
}
