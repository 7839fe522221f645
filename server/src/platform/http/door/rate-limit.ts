import { Refusal } from '../../../errors.ts';

/** Enough for every credential of a large fleet; above it, idle buckets are removed. */
const mostBuckets = 100_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface RateLimit {
  /** Counts one request of a credential or address; throws a 429 if none is left. */
  take(subject: string): void;
  /**
   * Throws a 429 if none is left, without counting a request. Used before work for callers that are not identified yet.
   */
  requireLeft(subject: string): void;
}

/** A token bucket per subject, with a capacity of one second. Each node counts separately; 0 means no limit. */
export function createRateLimit(requestsPerSecond: number, nowMs: () => number = () => performance.now()): RateLimit {
  if (requestsPerSecond === 0) return { take: () => {}, requireLeft: () => {} };
  const buckets = new Map<string, Bucket>();

  function filled(subject: string): Bucket {
    const now = nowMs();
    const bucket = buckets.get(subject) ?? addBucket(buckets, subject, requestsPerSecond, now);
    const refilled = bucket.tokens + ((now - bucket.filledAtMs) / 1000) * requestsPerSecond;
    bucket.tokens = Math.min(requestsPerSecond, refilled);
    bucket.filledAtMs = now;
    if (bucket.tokens >= 1) return bucket;
    throw new Refusal(
      'tooMany',
      `At most ${requestsPerSecond} requests per second are permitted; send fewer and retry.`,
      {
        headers: { 'retry-after': '1' },
      },
    );
  }

  return {
    take(subject) {
      filled(subject).tokens -= 1;
    },
    requireLeft: (subject) => void filled(subject),
  };
}

function addBucket(buckets: Map<string, Bucket>, subject: string, tokens: number, now: number): Bucket {
  if (buckets.size >= mostBuckets) forgetIdle(buckets, now);
  const bucket = { tokens, filledAtMs: now };
  buckets.set(subject, bucket);
  return bucket;
}

function forgetIdle(buckets: Map<string, Bucket>, now: number): void {
  for (const [subject, { filledAtMs }] of buckets) if (now - filledAtMs > 1000) buckets.delete(subject);
  // All buckets were used within the last second: remove the oldest half to limit the memory.
  if (buckets.size < mostBuckets) return;
  for (const subject of [...buckets.keys()].slice(0, mostBuckets / 2)) buckets.delete(subject);
}
