// Trains the sound classifier: `npm run train:labels -- <folder of ESC-50> --others <folder of repositories>
// [--commit <of ESC-50>]`. Needs ffmpeg. Writes weights.json and attribution.txt of the server's labels, and the figures in
// docs/label-training.md. The same sounds give the same files on the same kind of processor; others round differently.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { moonshineModel } from '@earshot/server/platform/listening/models/declaration';
import { createModelStore } from '@earshot/server/platform/listening/models/model-store';
import { loadSoundEncoder } from '@earshot/server/platform/listening/labels/encoder';
import { readDataset } from './dataset.ts';
import { gatherExamples } from './examples.ts';
import { readOtherList } from './other-sounds.ts';
import { writeTrained } from './write-trained.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);
const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => print(message) };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { commit: { type: 'string' }, others: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined || values.others === undefined) {
  throw new Error('folders are missing: npm run train:labels -- <folder of ESC-50> --others <folder of repositories>');
}

const dataset = readDataset(folder);
const others = { folder: values.others, list: readOtherList(here('./other-sounds.tsv')) };
print(`${dataset.clips.length} clips can be used; licences: ${JSON.stringify(dataset.licences)}`);
const models = createModelStore({
  folder: here('../node_modules/.cache/earshot-models'),
  log,
  mayFetch: true,
});
const encode = await loadSoundEncoder(await models.provide(moonshineModel, new AbortController().signal));

let printedShare = 0;
const set = await gatherExamples(dataset, others, encode, (share) => {
  if (share < printedShare) return;
  print(`listening: ${Math.round(100 * share)} %`);
  printedShare = share + 0.1;
});
writeTrained({ dataset, others: others.list, set, commit: values.commit ?? null, print });
