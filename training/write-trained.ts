import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { featureVersion } from '@earshot/server/platform/listening/labels/feature-shape';
import type { WeightFile } from '@earshot/server/platform/listening/labels/weights';
import { packNumbers, weightFormat } from '@earshot/server/platform/listening/labels/weights';
import type { Dataset } from './dataset.ts';
import { replaceFigures, writeAttribution } from './documents.ts';
import type { ExampleSet } from './examples.ts';
import { holdOut } from './held-out.ts';
import type { OtherSound } from './other-sounds.ts';
import { train } from './train.ts';

export interface Trained {
  readonly dataset: Dataset;
  readonly others: readonly OtherSound[];
  readonly set: ExampleSet;
  /** The commit of the dataset, if known. */
  readonly commit: string | null;
  readonly print: (line: string) => void;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const inLabels = (name: string) => here(`../server/src/platform/listening/labels/${name}`);

/** Trains, measures on held-out folds, and writes the weights, the credits and the figures. */
export function writeTrained({ dataset, others, set, commit, print }: Trained): void {
  const { folds, all, perSound, temperature } = holdOut(set, (fold) => print(`training without fold ${fold}`));
  for (const [at, figures] of folds.entries()) print(`fold ${at + 1}: ${JSON.stringify(figures)}`);
  print(`all: ${JSON.stringify(all)}, temperature ${temperature}`);
  for (const figures of perSound) print(JSON.stringify(figures));

  print('training with all folds');
  const weights = train(set.examples, set.sounds, temperature);
  const file: WeightFile = {
    format: weightFormat,
    featureVersion,
    dataset: {
      name: 'ESC-50',
      commit: commit,
      listSha256: dataset.listSha256,
      licences: dataset.licences,
    },
    folds,
    heldOut: all,
    sounds: set.sounds,
    temperature,
    ...packNumbers(weights),
  };
  writeFileSync(inLabels('weights.json'), `${JSON.stringify(file, undefined, 1)}\n`);
  writeFileSync(inLabels('attribution.txt'), writeAttribution(dataset.clips, others));
  const document = here('../docs/label-training.md');
  writeFileSync(document, replaceFigures(readFileSync(document, 'utf8'), folds, all, perSound));
}
