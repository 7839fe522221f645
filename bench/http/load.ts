import autocannon from 'autocannon';

export interface LoadTarget {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Requests per second under steady load; throws on any response other than 200. */
export async function measureRate(target: LoadTarget, seconds: number): Promise<number> {
  const result = await autocannon({ ...target, connections: 16, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${result.non2xx} responses were not 200 and ${result.errors} failed at ${target.url}`);
  }
  return result['2xx'] / result.duration;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
