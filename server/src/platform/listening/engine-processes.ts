import type { Log } from '../log.ts';
import { ListeningFailed } from './engine.ts';
import type { Model } from './models/declaration.ts';
import { voiceModel, whisperTinyModel } from './models/declaration.ts';
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
  /** A process that makes no progress for this time is killed (process/watch-work.ts). */
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

export interface EngineNeeds<Kind extends Profile> {
  readonly profile: Kind;
  /** What the engine produces, for the message when its models are missing. */
  readonly gives: string;
  /** In addition to the model of the voice gate. */
  readonly model?: Model | undefined;
  /** Whether clips may use another model for speech that `model` is unsure about. */
  readonly mayUseThird?: boolean;
  /** Checks other files that are needed and returns their path. */
  readonly findWeights?: () => Promise<string>;
}

export interface EngineProcesses<Kind extends Profile> {
  readonly pool: ProcessPool<Kind>;
  readonly close: () => Promise<void>;
}

const memoryMB: Record<Profile, number> = { moonshine: 1_024, whisper: 2_048, voice: 512, labels: 768, words: 768 };
const thirdMemoryMB = 1_536;
const loadStallMs = 120_000;

/** Only what is transcribed has a language. */
const hasLanguage = (profile: Profile) => profile === 'moonshine' || profile === 'whisper';

/**
 * A pool of processes of one profile, with the models that they need. Nothing is started or fetched before it is
 * needed.
 */
export function createEngineProcesses<Kind extends Profile>(
  { profile, gives, model, mayUseThird = false, findWeights }: EngineNeeds<Kind>,
  options: EngineProcessesOptions,
): EngineProcesses<Kind> {
  const closing = new AbortController();
  const prepareTask = attemptWithBackoff(
    async (): Promise<ChildTask> => {
      const weightsPath = await findWeights?.();
      const provide = (needed: Model) => options.models.provide(needed, closing.signal);
      return {
        profile,
        voiceFolder: await provide(voiceModel),
        textFolder: model && (await provide(model)),
        languageFolder: hasLanguage(profile) ? await provide(whisperTinyModel) : undefined,
        weightsPath,
      };
    },
    (reason) => options.log.error({}, `no ${gives} at present: ${reason}`),
  );
  const pool = createProcessPool<Kind>({
    processes: options.processes ?? 1,
    idleMs: (options.idleSeconds ?? 300) * 1_000,
    loadStallMs,
    limits: {
      stallMs: (options.stallSeconds ?? 120) * 1_000,
      memoryBytes: (options.memoryMB ?? memoryMB[profile] + (mayUseThird ? thirdMemoryMB : 0)) * 1024 ** 2,
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
