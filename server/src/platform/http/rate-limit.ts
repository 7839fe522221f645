import { Refusal } from '../../errors.ts';

/** Enough for every credential of a large fleet; beyond it the idle ones are forgotten. */
const mostBuckets = 100_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface RateLimit {
  /** Counts one request of the credential or address; refuses with 429 when it has none left. */
  take(subject: string): void;
  /** Refuses when it has none left, without counting: before work that may turn out to be a stranger's. */
  requireLeft(subject: string): void;
}

/** A token bucket per subject, one second deep. Kept by each node for itself; 0 a second means no limit. */
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
    throw new Refusal('tooMany', `At most ${requestsPerSecond} requests a second; slow down and try again.`, {
      headers: { 'retry-after': '1' },
    });
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
  // Everyone was active within the second: forget the oldest half rather than grow without end.
  if (buckets.size < mostBuckets) return;
  for (const subject of [...buckets.keys()].slice(0, mostBuckets / 2)) buckets.delete(subject);
}
