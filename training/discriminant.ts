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

/** Added to the variance of each feature, which prevents overfitting. Chosen as docs/label-training.md says. */
const shrinkage = 0.1;
/** Brings the sums to a size at which the fitted temperature is near 1. */
const scale = 0.1;
/** The bias of a class without examples, so that it is never the likeliest. */
const never = -1e3;

/**
 * Linear discriminant analysis: each class is described by the mean of its rows, and all classes together by the
 * covariance of their rows around those means. The solution is exact, and the same rows always give the same weights.
 */
export function learn({ rows, classes }: Examples, classCount: number): Learnt {
  const width = rows[0]!.length;
  const means = meansOf(rows, classes, classCount);
  const factor = factorise(covarianceOf(rows, classes, means), width);
  const weights = new Float64Array(classCount * width);
  const biases = new Float64Array(classCount).fill(never);
  for (const sound of new Set(classes)) {
    const mean = means[sound]!;
    const solved = solve(factor, mean).map((value) => scale * value);
    weights.set(solved, sound * width);
    biases[sound] = -solved.reduce((sum, value, at) => sum + value * mean[at]!, 0) / 2;
  }
  return { weights, biases };
}

export function sumsOf({ weights, biases }: Learnt, features: Float32Array): Float64Array {
  const width = features.length;
  return biases.map((bias, sound) => {
    let sum = bias;
    for (let at = 0; at < width; at++) sum += weights[sound * width + at]! * features[at]!;
    return sum;
  });
}

function meansOf(rows: readonly Float32Array[], classes: readonly number[], classCount: number): Float64Array[] {
  const means = Array.from({ length: classCount }, () => new Float64Array(rows[0]!.length));
  const counts = new Float64Array(classCount);
  for (const [row, features] of rows.entries()) {
    const mean = means[classes[row]!]!;
    counts[classes[row]!]! += 1;
    for (let at = 0; at < features.length; at++) mean[at]! += features[at]!;
  }
  return means.map((mean, sound) => mean.map((sum) => sum / Math.max(1, counts[sound]!)));
}

/** Row by row; only the part up to the diagonal is filled. */
function covarianceOf(
  rows: readonly Float32Array[],
  classes: readonly number[],
  means: readonly Float64Array[],
): Float64Array {
  const width = rows[0]!.length;
  const covariance = new Float64Array(width * width);
  for (const [row, features] of rows.entries()) {
    const away = means[classes[row]!]!.map((mean, at) => (features[at]! - mean) / Math.sqrt(rows.length));
    for (let at = 0; at < width; at++) {
      const own = away[at]!;
      const from = at * width;
      for (let other = 0; other <= at; other++) covariance[from + other]! += own * away[other]!;
    }
  }
  for (let at = 0; at < width; at++) covariance[at * width + at]! += shrinkage;
  return covariance;
}

/** Cholesky's factor of a positive definite matrix, in place. */
function factorise(matrix: Float64Array, width: number): Float64Array {
  for (let row = 0; row < width; row++) {
    for (let column = 0; column <= row; column++) {
      const [one, other] = [row * width, column * width];
      let sum = matrix[one + column]!;
      for (let at = 0; at < column; at++) sum -= matrix[one + at]! * matrix[other + at]!;
      matrix[one + column] = row === column ? Math.sqrt(sum) : sum / matrix[other + column]!;
    }
  }
  return matrix;
}

/** Solves the equations of a factorised matrix: forwards, then backwards. */
function solve(factor: Float64Array, right: Float64Array): Float64Array {
  const width = right.length;
  const solved = right.slice();
  for (let row = 0; row < width; row++) {
    for (let at = 0; at < row; at++) solved[row]! -= factor[row * width + at]! * solved[at]!;
    solved[row]! /= factor[row * width + row]!;
  }
  for (let row = width - 1; row >= 0; row--) {
    solved[row]! /= factor[row * width + row]!;
    for (let at = 0; at < row; at++) solved[at]! -= factor[row * width + at]! * solved[row]!;
  }
  return solved;
}
