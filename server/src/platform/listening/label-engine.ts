import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { createEars } from './ears.ts';
import type { LabelEngine } from './engine.ts';
import type { WeightFile } from './labels/weights.ts';
import { readWeights } from './labels/weights.ts';
import { moonshineModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { createModelStore } from './models/model-store.ts';

export interface LabelSettings {
  /** Where the models are kept that the captions use too; or the store that was opened for them. */
  readonly models: ModelStore | { readonly folder: string; readonly mayFetch: boolean };
  /** How many clips are listened to at once. */
  readonly atOnce: number;
  /** What `npm run train:labels` wrote, where it is not what this version comes with. */
  readonly weightsPath?: string | undefined;
  readonly idleSeconds?: number;
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

/** Counted up whenever the same sound could give other labels, the weights apart: with the gate, the rules, the levels. */
const revision = 1;

// Bundled, the file stands beside the program.
const isBundled = !import.meta.url.endsWith('.ts');
export const ownWeights = fileURLToPath(
  new URL(isBundled ? './label-weights.json' : './labels/weights.json', import.meta.url),
);

/** Tells what is heard: speech, silence, tones, and the sounds around. Nothing is started or fetched before it is needed. */
export function createLabelEngine(
  { models, atOnce, weightsPath = ownWeights, ...limits }: LabelSettings,
  log: Log,
): LabelEngine & { readonly pids: readonly number[] } {
  const store = 'provide' in models ? models : createModelStore({ ...models, log });
  const identity = { name: 'earshot-labels', version: `${revision}-${readMark(weightsPath)}` };
  const findWeights = async () => {
    await readWeights(weightsPath);
    return weightsPath;
  };
  const { pool, close } = createEars(
    { profile: 'labels', gives: 'labels', model: moonshineModel, findWeights },
    { ...limits, models: store, log, processes: atOnce },
  );
  return {
    identity,
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    label: async (sound, listening) => ({ engine: identity, ...(await pool.listen(sound, listening)) }),
    close,
  };
}

/** Weights that were trained anew are another engine. What is wrong with the file is told when it is used. */
function readMark(path: string): string {
  try {
    const { sha256 } = JSON.parse(readFileSync(path, 'utf8')) as Partial<WeightFile>;
    return String(sha256).slice(0, 8);
  } catch {
    return 'none';
  }
}
