import type { Log } from '../log.ts';
import { ListeningFailed } from './engine.ts';
import type { Model } from './models/declaration.ts';
import { voiceModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { attemptWithBackoff } from './backoff.ts';
import type { ProcessPool } from './process/pool.ts';
import { createProcessPool } from './process/pool.ts';
import type { ChildTask, Profile } from './process/protocol.ts';

export interface EngineProcessesOptions {
  readonly models: ModelStore;
  readonly log: Log;
  readonly processes?: number;
  readonly idleSeconds?: number;
  /** A process that shows no progress for this time is killed. */
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

export interface EngineNeeds<Kind extends Profile> {
  readonly profile: Kind;
  /** What the engine produces, for the message when its models are missing. */
  readonly gives: string;
  /** In addition to the model of the voice gate. */
  readonly model?: Model | undefined;
  /** Checks other files that are needed and returns their path. */
  readonly findWeights?: () => Promise<string>;
}

export interface EngineProcesses<Kind extends Profile> {
  readonly pool: ProcessPool<Kind>;
  readonly close: () => Promise<void>;
}

const memoryMB: Record<Profile, number> = { moonshine: 1_024, whisper: 2_048, voice: 512, labels: 768, words: 768 };
const loadWithinMs = 120_000;

/**
 * A pool of processes of one profile, with the models that they need. Nothing is started or fetched before it is
 * needed.
 */
export function createEngineProcesses<Kind extends Profile>(
  { profile, gives, model, findWeights }: EngineNeeds<Kind>,
  options: EngineProcessesOptions,
): EngineProcesses<Kind> {
  const closing = new AbortController();
  const prepareTask = attemptWithBackoff(
    async (): Promise<ChildTask> => {
      const weightsPath = await findWeights?.();
      const voiceFolder = await options.models.provide(voiceModel, closing.signal);
      const textFolder = model && (await options.models.provide(model, closing.signal));
      return { profile, voiceFolder, textFolder, weightsPath };
    },
    (reason) => options.log.error({}, `no ${gives} at present: ${reason}`),
  );
  const pool = createProcessPool<Kind>({
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
