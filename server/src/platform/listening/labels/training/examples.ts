import type { EncodeSound } from '../encoder.ts';
import { computeFeatures } from '../features.ts';
import { noSound, soundName } from '../sound-names.ts';
import type { Dataset } from './dataset.ts';
import { makeSounds } from './made-sounds.ts';
import { readTrainingClip } from './read-clip.ts';

export interface Example {
  readonly features: Float32Array;
  /** Its index in the list of sounds. */
  readonly sound: number;
  /** From 1 to 5. */
  readonly fold: number;
}

export interface ExampleSet {
  /** The last entry is the class of unknown sounds. */
  readonly sounds: readonly string[];
  readonly examples: readonly Example[];
}

export const foldCount = 5;

/** Computes the features of every clip and of the synthetic sounds. */
export async function gatherExamples(
  { clips }: Dataset,
  encode: EncodeSound,
  onProgress: (share: number) => void,
): Promise<ExampleSet> {
  const sounds = [...new Set(clips.map(({ category }) => soundName(category)))].toSorted();
  const examples: Example[] = [];
  for (const [at, { path, category, fold }] of clips.entries()) {
    const features = await computeFeatures(encode, readTrainingClip(path));
    examples.push({ features, sound: sounds.indexOf(soundName(category)), fold });
    onProgress(at / clips.length);
  }
  for (const [at, samples] of makeSounds().entries()) {
    const features = await computeFeatures(encode, samples);
    examples.push({ features, sound: sounds.length, fold: (at % foldCount) + 1 });
  }
  return { sounds: [...sounds, noSound], examples };
}
