import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EngineUnavailable } from '../engine.ts';
import { featureCount, featureVersion } from './feature-shape.ts';

/*
 * The file of trained weights: JSON with a header about its origin, and numbers in base64. Each sound has one eight-bit
 * number for each feature and one scale for all of them. Features are first normalised to mean 0 and standard deviation
 * 1. The probability of each sound is a softmax over the sums, at a temperature that was fitted on held-out sound.
 */

export const weightFormat = 'earshot-labels-1';

/** How well the classifier recognises sounds that were held out of the training. */
export interface HeldOutFigures {
  readonly accuracy: number;
  readonly topThree: number;
  /** Precision and recall of labels with a confidence of at least 50. */
  readonly precisionAt50: number;
  readonly recallAt50: number;
  /** The share of sounds of no class, real and synthetic, that get a label with a confidence of at least 50. */
  readonly falseAlarmsAt50: number;
}

export interface WeightFile {
  readonly format: string;
  readonly featureVersion: number;
  readonly dataset: {
    readonly name: string;
    readonly commit: string | null;
    readonly listSha256: string;
    readonly licences: Readonly<Record<string, number>>;
  };
  readonly folds: readonly HeldOutFigures[];
  readonly heldOut: HeldOutFigures;
  /** Classes without a name are sounds for which no label is reported. */
  readonly sounds: readonly string[];
  readonly temperature: number;
  /** Float32, little endian: mean and standard deviation of each feature; scale and bias of each sound. */
  readonly means: string;
  readonly spreads: string;
  readonly scales: string;
  readonly biases: string;
  /** Int8, sound by sound. */
  readonly weights: string;
  /** Of the five fields above, in that order. */
  readonly sha256: string;
}

export interface Weights {
  readonly sounds: readonly string[];
  readonly temperature: number;
  readonly means: Float32Array;
  readonly spreads: Float32Array;
  readonly scales: Float32Array;
  readonly biases: Float32Array;
  readonly weights: Int8Array;
}

const numberFields = ['means', 'spreads', 'scales', 'biases', 'weights'] as const;
type Numbers = Pick<Weights, (typeof numberFields)[number]>;

/** Throws EngineUnavailable with the reason if the file is not valid. */
export async function readWeights(path: string): Promise<Weights> {
  const refuse = (reason: string) => new EngineUnavailable(`the label weights cannot be used: ${reason}`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw refuse(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const file = parseJson(text) as Partial<WeightFile> | undefined;
  if (file?.format !== weightFormat) throw refuse(`${path} is damaged or not a file of weights`);
  if (file.featureVersion !== featureVersion) throw refuse(`${path} was made for another version of this program`);
  const packed = numberFields.map((field) => String(file[field]));
  if (file.sha256 !== hash(packed)) throw refuse(`${path} is damaged`);
  const [means, spreads, scales, biases, weights] = packed.map((field) => Buffer.from(field, 'base64'));
  const sounds = file.sounds ?? [];
  const numbers: Numbers = {
    means: asFloats(means!),
    spreads: asFloats(spreads!),
    scales: asFloats(scales!),
    biases: asFloats(biases!),
    weights: new Int8Array(weights!),
  };
  const isWhole =
    numbers.means.length === featureCount &&
    numbers.spreads.length === featureCount &&
    numbers.scales.length === sounds.length &&
    numbers.biases.length === sounds.length &&
    numbers.weights.length === sounds.length * featureCount;
  if (!isWhole || sounds.length === 0 || !(Number(file.temperature) > 0)) throw refuse(`${path} is not complete`);
  return { sounds, temperature: Number(file.temperature), ...numbers };
}

export function packNumbers(numbers: Numbers): Pick<WeightFile, keyof Numbers | 'sha256'> {
  const [means, spreads, scales, biases, weights] = numberFields.map((field) => {
    const values = numbers[field];
    return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');
  });
  const packed = { means: means!, spreads: spreads!, scales: scales!, biases: biases!, weights: weights! };
  return { ...packed, sha256: hash(Object.values(packed)) };
}

const hash = (fields: readonly string[]): string => createHash('sha256').update(fields.join('\n')).digest('hex');

const asFloats = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
