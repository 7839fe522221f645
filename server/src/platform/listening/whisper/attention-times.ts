import type { WordSpan } from '../embedded/aligner.ts';

/*
 * Finds the time of each token from the attention of the recogniser while it wrote the token: the cheapest path through
 * the attention of all tokens that moves only forward in text and time.
 */

/** The time that one value of Whisper's attention stands for. */
const whisperStepSeconds = 0.02;
const smoothing = 7;

/** `attention` has a row for each token, including the end token, and head; only the first steps contain sound. */
export function placeTokens(
  attention: readonly (readonly Float32Array[])[],
  soundSeconds: number,
  stepSeconds = whisperStepSeconds,
): WordSpan[] {
  const steps = Math.max(1, Math.min(Math.ceil(soundSeconds / stepSeconds), attention[0]?.[0]?.length ?? 1));
  const costs = averageHeads(attention, steps);
  const starts = followCheapest(costs, steps);
  return starts.map((start, at) => ({
    startSeconds: start * stepSeconds,
    endSeconds: Math.max(start + 1, starts[at + 1] ?? steps) * stepSeconds,
  }));
}

/** For each token, the cost of each time step. */
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

/** Replaces each value by the median of its neighbourhood. */
function smooth(row: Float32Array): Float32Array {
  const reach = (smoothing - 1) / 2;
  return row.map((_, at) => {
    const around = row.slice(Math.max(0, at - reach), at + reach + 1).toSorted();
    return around[around.length >> 1]!;
  });
}

/** The time step at which each token begins. */
function followCheapest(costs: readonly Float32Array[], steps: number): number[] {
  const total = costs.map(() => new Float32Array(steps));
  // The direction of the path: 0 both, 1 from the previous token, 2 from the previous step.
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
