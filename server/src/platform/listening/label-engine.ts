import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { createEngineProcesses } from './engine-processes.ts';
import type { LabelEngine } from './engine.ts';
import type { WeightFile } from './labels/weights.ts';
import { readWeights } from './labels/weights.ts';
import { moonshineModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { createModelStore } from './models/model-store.ts';

export interface LabelSettings {
  /** The folder of the models, shared with the caption engine; or an open model store. */
  readonly models: ModelStore | { readonly folder: string; readonly mayFetch: boolean };
  /** How many clips are labelled at once. */
  readonly atOnce: number;
  /** A file from `npm run train:labels`, if not the one that comes with this version. */
  readonly weightsPath?: string | undefined;
  readonly idleSeconds?: number;
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

/** Increase it with every change after which the same sound could give other labels, except new weights. */
const revision = 2;

// In the bundle, the file is beside the program.
const isBundled = !import.meta.url.endsWith('.ts');
export const ownWeights = fileURLToPath(
  new URL(isBundled ? './label-weights.json' : './labels/weights.json', import.meta.url),
);

/** Labels speech, silence, tones and environmental sounds. Nothing is started or fetched before it is needed. */
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
  const { pool, close } = createEngineProcesses(
    { profile: 'labels', gives: 'labels', model: moonshineModel, findWeights },
    { ...limits, models: store, log, processes: atOnce },
  );
  return {
    identity,
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    label: async (sound, listening) => ({ engine: identity, ...(await pool.analyse(sound, listening)) }),
    close,
  };
}

/** New weights make a new engine version. Faults of the file are reported when it is used. */
function readMark(path: string): string {
  try {
    const { sha256 } = JSON.parse(readFileSync(path, 'utf8')) as Partial<WeightFile>;
    return String(sha256).slice(0, 8);
  } catch {
    return 'none';
  }
}
