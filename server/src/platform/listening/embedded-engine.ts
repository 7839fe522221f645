import type { Log } from '../log.ts';
import type { CaptionEngine, EngineIdentity } from './engine.ts';
import { ListeningFailed } from './engine.ts';
import type { Model } from './models/declaration.ts';
import { moonshineModel, voiceModel, whisperModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { attemptPatiently } from './patience.ts';
import { createPool } from './process/pool.ts';
import type { ChildTask, Profile } from './process/protocol.ts';

export interface EmbeddedEngineOptions {
  readonly profile: Profile;
  readonly models: ModelStore;
  readonly log: Log;
  readonly processes?: number;
  readonly idleSeconds?: number;
  /** How long a process may go without a sign of life. */
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

/** The engine that needs nothing but this machine. */
export interface EmbeddedEngine extends CaptionEngine {
  /** The processes that live now. */
  readonly pids: readonly number[];
}

/** Counted up whenever the same sound could give other words: with the gate, the decoding, the alignment. */
const revision = 1;

const profiles: Record<Profile, { readonly model: Model; readonly memoryMB: number }> = {
  moonshine: { model: moonshineModel, memoryMB: 1_024 },
  whisper: { model: whisperModel, memoryMB: 2_048 },
};

const loadWithinMs = 120_000;

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { model, memoryMB } = profiles[options.profile];
  const identity: EngineIdentity = { name: model.name, version: `${model.packageVersion}-${revision}` };
  const closing = new AbortController();
  const prepareTask = attemptPatiently(
    async (): Promise<ChildTask> => {
      const voiceFolder = await options.models.provide(voiceModel, closing.signal);
      const textFolder = await options.models.provide(model, closing.signal);
      return { profile: options.profile, voiceFolder, textFolder };
    },
    (reason) => options.log.error({}, `no captions for now: ${reason}`),
  );
  const pool = createPool({
    processes: options.processes ?? 1,
    idleMs: (options.idleSeconds ?? 300) * 1_000,
    loadWithinMs,
    limits: {
      stallMs: (options.stallSeconds ?? 120) * 1_000,
      memoryBytes: (options.memoryMB ?? memoryMB) * 1024 ** 2,
    },
    log: options.log,
    prepareTask,
  });
  return {
    identity,
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    caption: async (sound, listening) => ({ engine: identity, ...(await pool.listen(sound, listening)) }),
    async close() {
      closing.abort(new ListeningFailed('the engine is being shut down'));
      await pool.close();
    },
  };
}
