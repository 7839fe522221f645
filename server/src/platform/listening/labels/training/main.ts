// Trains the sound classifier: `npm run train:labels -- <folder of ESC-50> [--commit <of the dataset>]`. Writes
// labels/weights.json, labels/attribution.txt and the figures in docs/label-training.md. The same dataset gives the
// same files on the same kind of processor; others round differently.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { moonshineModel } from '../../models/declaration.ts';
import { createModelStore } from '../../models/model-store.ts';
import { loadSoundEncoder } from '../encoder.ts';
import { featureVersion } from '../feature-shape.ts';
import type { WeightFile } from '../weights.ts';
import { packNumbers, weightFormat } from '../weights.ts';
import { readDataset } from './dataset.ts';
import { replaceFigures, writeAttribution } from './documents.ts';
import { gatherExamples } from './examples.ts';
import { holdOut } from './held-out.ts';
import { train } from './train.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);
const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => print(message) };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { commit: { type: 'string' } } });
const [folder] = positionals;
if (folder === undefined)
  throw new Error('the folder of the dataset is missing: npm run train:labels -- <folder of ESC-50>');

const dataset = readDataset(folder);
print(`${dataset.clips.length} clips can be used; licences: ${JSON.stringify(dataset.licences)}`);
const models = createModelStore({
  folder: here('../../../../../../node_modules/.cache/earshot-models'),
  log,
  mayFetch: true,
});
const encode = await loadSoundEncoder(await models.provide(moonshineModel, new AbortController().signal));

let told = 0;
const set = await gatherExamples(dataset, encode, (share) => {
  if (share < told) return;
  print(`listening: ${Math.round(100 * share)} %`);
  told = share + 0.1;
});
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
    commit: values.commit ?? null,
    listSha256: dataset.listSha256,
    licences: dataset.licences,
  },
  folds,
  heldOut: all,
  sounds: set.sounds,
  temperature,
  ...packNumbers(weights),
};
writeFileSync(here('../weights.json'), `${JSON.stringify(file, undefined, 1)}\n`);
writeFileSync(here('../attribution.txt'), writeAttribution(dataset.clips));
const document = here('../../../../../../docs/label-training.md');
writeFileSync(document, replaceFigures(readFileSync(document, 'utf8'), folds, all, perSound));
