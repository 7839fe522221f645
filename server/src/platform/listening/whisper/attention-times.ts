import type { Placed } from '../embedded/aligner.ts';

/*
 * When each token was said, read from where the recogniser looked while it wrote it: the cheapest way through the
 * attention of all tokens that only ever goes forward in both text and time.
 */

const stepSeconds = 0.02;
const smoothing = 7;

/** `attention` has a row for each token, the end of the text included, and head; only the first steps hold sound. */
export function placeTokens(attention: readonly (readonly Float32Array[])[], soundSeconds: number): Placed[] {
  const steps = Math.max(1, Math.min(Math.ceil(soundSeconds / stepSeconds), attention[0]?.[0]?.length ?? 1));
  const costs = averageHeads(attention, steps);
  const starts = followCheapest(costs, steps);
  return starts.map((start, at) => ({
    startSeconds: start * stepSeconds,
    endSeconds: Math.max(start + 1, starts[at + 1] ?? steps) * stepSeconds,
  }));
}

/** For each token, what it costs to have been said at each step. */
function averageHeads(attention: readonly (readonly Float32Array[])[], steps: number): Float32Array[] {
  const heads = attention[0]?.length ?? 0;
  const costs = attention.map(() => new Float32Array(steps));
  for (let head = 0; head < heads; head++) {
    const rows = attention.map((ofToken) => smooth(ofToken[head]!.subarray(0, steps)));
    for (let step = 0; step < steps; step++) {
      const mean = rows.reduce((sum, row) => sum + row[step]!, 0) / rows.length;
      const spread = Math.sqrt(rows.reduce((sum, row) => sum + (row[step]! - mean) ** 2, 0) / rows.length) || 1;
      for (const [token, row] of rows.entries()) costs[token]![step]! -= (row[step]! - mean) / spread / heads;
    }
  }
  return costs;
}

/** Each value replaced by the median of those around it. */
function smooth(row: Float32Array): Float32Array {
  const reach = (smoothing - 1) / 2;
  return row.map((_, at) => {
    const around = row.slice(Math.max(0, at - reach), at + reach + 1).toSorted();
    return around[around.length >> 1]!;
  });
}

/** The step at which each token begins. */
function followCheapest(costs: readonly Float32Array[], steps: number): number[] {
  const total = costs.map(() => new Float32Array(steps));
  // Where the way came from: 0 both, 1 the token before, 2 the step before.
  const from = costs.map(() => new Uint8Array(steps));
  const at = (token: number, step: number) => (token < 0 || step < 0 ? Infinity : total[token]![step]!);
  for (let token = 0; token < costs.length; token++) {
    for (let step = 0; step < steps; step++) {
      const ways = [at(token - 1, step - 1), at(token - 1, step), at(token, step - 1)];
      if (token === 0 && step === 0) ways[0] = 0;
      const cheapest = ways.indexOf(Math.min(...ways));
      from[token]![step] = cheapest;
      total[token]![step] = costs[token]![step]! + ways[cheapest]!;
    }
  }
  const starts = costs.map(() => 0);
  for (let token = costs.length - 1, step = steps - 1; token >= 0 && step >= 0;) {
    starts[token] = step;
    const way = from[token]![step];
    if (way !== 2) token -= 1;
    if (way !== 1) step -= 1;
  }
  return starts;
}
