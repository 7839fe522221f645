import { softmax } from '../classifier.ts';
import { minimise } from './minimise.ts';

/** Rows of features, normalised to mean 0 and standard deviation 1, and the class of each row. */
export interface Examples {
  readonly rows: readonly Float32Array[];
  readonly classes: readonly number[];
}

export interface Learnt {
  /** Class by class. */
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

/** The weight of the L2 penalty, which prevents overfitting. Chosen on held-out folds. */
const penalty = 0.01;
const steps = 70;

/** Multinomial logistic regression. */
export function learn({ rows, classes }: Examples, classCount: number): Learnt {
  const width = rows[0]!.length;
  const size = classCount * width;
  const cost = (at: Float64Array, slope: Float64Array): number => {
    slope.fill(0);
    let loss = 0;
    for (const [row, features] of rows.entries()) {
      const sums = sumRow(at, features, classCount, size);
      const shares = softmax(sums, 1);
      loss -= Math.log(Math.max(shares[classes[row]!]!, 1e-12)) / rows.length;
      for (let sound = 0; sound < classCount; sound++) {
        const error = (shares[sound]! - (sound === classes[row] ? 1 : 0)) / rows.length;
        slope[size + sound]! += error;
        // Skips errors that are too small to matter, which are most of them.
        if (Math.abs(error) * rows.length > 1e-4) addRow(slope, features, error, sound * width);
      }
    }
    for (let index = 0; index < size; index++) {
      slope[index]! += penalty * at[index]!;
      loss += 0.5 * penalty * at[index]! ** 2;
    }
    return loss;
  };
  const best = minimise(cost, size + classCount, steps);
  return { weights: best.subarray(0, size), biases: best.subarray(size) };
}

export const sumsOf = ({ weights, biases }: Learnt, features: Float32Array): Float64Array => {
  const all = new Float64Array(weights.length + biases.length);
  all.set(weights);
  all.set(biases, weights.length);
  return sumRow(all, features, biases.length, weights.length);
};

function sumRow(at: Float64Array, features: Float32Array, classCount: number, size: number): Float64Array {
  const width = features.length;
  const sums = at.slice(size, size + classCount);
  for (let sound = 0; sound < classCount; sound++) {
    const from = sound * width;
    let sum = 0;
    for (let index = 0; index < width; index++) sum += at[from + index]! * features[index]!;
    sums[sound]! += sum;
  }
  return sums;
}

function addRow(slope: Float64Array, features: Float32Array, factor: number, from: number): void {
  for (let index = 0; index < features.length; index++) slope[from + index]! += factor * features[index]!;
}
