import type { Log } from '../log.ts';
import { ListeningFailed } from './engine.ts';
import type { Model } from './models/declaration.ts';
import { voiceModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { attemptPatiently } from './patience.ts';
import type { Pool } from './process/pool.ts';
import { createPool } from './process/pool.ts';
import type { ChildTask, Profile } from './process/protocol.ts';

export interface EarsOptions {
  readonly models: ModelStore;
  readonly log: Log;
  readonly processes?: number;
  readonly idleSeconds?: number;
  /** How long a process may go without a sign of life. */
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

export interface EarsNeeds<Kind extends Profile> {
  readonly profile: Kind;
  /** What there is none of while the models cannot be had, for people. */
  readonly gives: string;
  /** Beside the model of the voice gate. */
  readonly model?: Model | undefined;
  /** Looks at what else is needed, and tells where it lies. */
  readonly findWeights?: () => Promise<string>;
}

export interface EarsInProcesses<Kind extends Profile> {
  readonly pool: Pool<Kind>;
  readonly close: () => Promise<void>;
}

const memoryMB: Record<Profile, number> = { moonshine: 1_024, whisper: 2_048, voice: 512, labels: 768, words: 768 };
const loadWithinMs = 120_000;

/** Processes that listen in one way, with the models that they need. Nothing is started or fetched before it is needed. */
export function createEars<Kind extends Profile>(
  { profile, gives, model, findWeights }: EarsNeeds<Kind>,
  options: EarsOptions,
): EarsInProcesses<Kind> {
  const closing = new AbortController();
  const prepareTask = attemptPatiently(
    async (): Promise<ChildTask> => {
      const weightsPath = await findWeights?.();
      const voiceFolder = await options.models.provide(voiceModel, closing.signal);
      const textFolder = model && (await options.models.provide(model, closing.signal));
      return { profile, voiceFolder, textFolder, weightsPath };
    },
    (reason) => options.log.error({}, `no ${gives} for now: ${reason}`),
  );
  const pool = createPool<Kind>({
    processes: options.processes ?? 1,
    idleMs: (options.idleSeconds ?? 300) * 1_000,
    loadWithinMs,
    limits: {
      stallMs: (options.stallSeconds ?? 120) * 1_000,
      memoryBytes: (options.memoryMB ?? memoryMB[profile]) * 1024 ** 2,
    },
    log: options.log,
    prepareTask,
  });
  return {
    pool,
    async close() {
      closing.abort(new ListeningFailed('the engine is being shut down'));
      await pool.close();
    },
  };
}
