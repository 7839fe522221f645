import { createClassifier } from '@earshot/server/platform/listening/labels/classifier';
import type { Weights } from '@earshot/server/platform/listening/labels/weights';
import type { Example } from './examples.ts';
import { learn, sumsOf } from './discriminant.ts';

/** Trains the weights, quantised to eight bits as in the file. */
export function train(examples: readonly Example[], sounds: readonly string[], temperature: number): Weights {
  const { means, spreads } = describeFeatures(examples);
  const even = (features: Float32Array) => features.map((value, at) => (value - means[at]!) / spreads[at]!);
  const rows = examples.map(({ features }) => even(features));
  const learnt = learn({ rows, classes: examples.map(({ sound }) => sound) }, sounds.length);
  const weights: Weights = {
    sounds,
    temperature,
    means,
    spreads,
    ...toEightBits(learnt.weights, sounds.length),
    biases: Float32Array.from(learnt.biases),
  };
  const classify = createClassifier(weights);
  const changed = examples.filter(({ features }, row) => {
    return likeliest(classify(features)) !== likeliest(sumsOf(learnt, rows[row]!));
  });
  // Quantisation must not noticeably change the results.
  if (changed.length > examples.length / 100) {
    throw new Error(
      `eight bits are not enough: ${changed.length} of ${examples.length} examples are classified differently`,
    );
  }
  return weights;
}

export const likeliest = (shares: Float64Array): number => shares.indexOf(Math.max(...shares));

function describeFeatures(examples: readonly Example[]) {
  const width = examples[0]!.features.length;
  const means = new Float32Array(width);
  const spreads = new Float32Array(width);
  for (let at = 0; at < width; at++) {
    let sum = 0;
    let squares = 0;
    for (const { features } of examples) {
      sum += features[at]!;
      squares += features[at]! ** 2;
    }
    const mean = sum / examples.length;
    means[at] = mean;
    spreads[at] = Math.sqrt(Math.max(0, squares / examples.length - mean * mean)) + 1e-6;
  }
  return { means, spreads };
}

function toEightBits(values: Float64Array, soundCount: number): Pick<Weights, 'weights' | 'scales'> {
  const width = values.length / soundCount;
  const scales = new Float32Array(soundCount);
  const weights = new Int8Array(values.length);
  for (let sound = 0; sound < soundCount; sound++) {
    const own = values.subarray(sound * width, (sound + 1) * width);
    const highest = own.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
    const scale = highest / 127;
    scales[sound] = scale;
    for (const [at, value] of own.entries()) weights[sound * width + at] = Math.round(value / scale);
  }
  return { weights, scales };
}
