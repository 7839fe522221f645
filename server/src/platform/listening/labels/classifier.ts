import type { Weights } from './weights.ts';

/** The probability of each sound, 0 to 1, in the order of the weights. */
export type ClassifySound = (features: Float32Array) => Float64Array;

export function createClassifier({
  sounds,
  temperature,
  means,
  spreads,
  scales,
  biases,
  weights,
}: Weights): ClassifySound {
  return (features) => {
    const even = features.map((value, at) => (value - means[at]!) / spreads[at]!);
    const sums = Float64Array.from(sounds, (_, sound) => {
      const from = sound * even.length;
      let sum = 0;
      for (let at = 0; at < even.length; at++) sum += weights[from + at]! * even[at]!;
      return sum * scales[sound]! + biases[sound]!;
    });
    return softmax(sums, temperature);
  };
}

/** A lower temperature gives more extreme probabilities. */
export function softmax(sums: Float64Array, temperature: number): Float64Array {
  const highest = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp((sum - highest) / temperature));
  const total = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => share / total);
}
