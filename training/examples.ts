import type { EncodeSound } from '@earshot/server/platform/listening/labels/encoder';
import { computeFeatures } from '@earshot/server/platform/listening/labels/features';
import { noSound, soundName } from '@earshot/server/platform/listening/labels/sound-names';
import type { Dataset } from './dataset.ts';
import { foldCount } from './folds.ts';
import { makeSounds } from './made-sounds.ts';
import type { OtherSound } from './other-sounds.ts';
import { labelOfGroup, readOtherSound } from './other-sounds.ts';
import { readTrainingClip } from './read-clip.ts';

export interface Example {
  readonly features: Float32Array;
  /** Its index in the list of sounds. */
  readonly sound: number;
  /** From 1 to 5. */
  readonly fold: number;
}

export interface ExampleSet {
  /** Names of the classes; classes without a name are not reported. */
  readonly sounds: readonly string[];
  readonly examples: readonly Example[];
}

/** Sounds besides ESC-50, and the folder with the repositories that contain them. */
export interface OtherSounds {
  readonly folder: string;
  readonly list: readonly OtherSound[];
}

/** Computes the features of every clip, of the other sounds and of the synthetic sounds. */
export async function gatherExamples(
  { clips }: Dataset,
  others: OtherSounds,
  encode: EncodeSound,
  onProgress: (share: number) => void,
): Promise<ExampleSet> {
  const classes = listClasses(clips, others.list);
  const examples: Example[] = [];
  const add = async (samples: Float32Array, sound: number, fold: number) => {
    examples.push({ features: await computeFeatures(encode, samples), sound, fold });
    onProgress(examples.length / (clips.length + others.list.length));
  };
  for (const { path, category, fold } of clips) await add(readTrainingClip(path), classes.ofCategory(category), fold);
  for (const other of others.list) {
    await add(readOtherSound(others.folder, other), classes.ofGroup(other.group), other.fold);
  }
  for (const [at, samples] of makeSounds().entries()) await add(samples, classes.made, (at % foldCount) + 1);
  return { sounds: classes.sounds, examples };
}

/** The classes: the sounds of ESC-50, the groups of other sounds, and last the synthetic sounds. */
export function listClasses(clips: readonly { readonly category: string }[], list: readonly OtherSound[]) {
  const categories = [...new Set(clips.map(({ category }) => soundName(category)))].toSorted();
  const groups = [...new Set(list.map(({ group }) => group))].toSorted();
  return {
    sounds: [...categories, ...groups.map(labelOfGroup), noSound],
    ofCategory: (category: string) => categories.indexOf(soundName(category)),
    ofGroup: (group: string) => categories.length + groups.indexOf(group),
    made: categories.length + groups.length,
  };
}
