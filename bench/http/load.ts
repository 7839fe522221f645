import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Requests a second over a while of steady load; any answer but 200 spoils the run. */
export async function measure(target: Target, seconds: number): Promise<number> {
  const result = await autocannon({ ...target, connections: 16, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${result.non2xx} answers were not 200 and ${result.errors} failed at ${target.url}`);
  }
  return result['2xx'] / result.duration;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
