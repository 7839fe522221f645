import type { Log } from '../log.ts';
import type { CaptionEngine, EngineIdentity, VoiceGate } from './engine.ts';
import { ListeningFailed } from './engine.ts';
import type { Model } from './models/declaration.ts';
import { moonshineModel, voiceModel, whisperModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';
import { attemptPatiently } from './patience.ts';
import { createPool } from './process/pool.ts';
import type { ChildTask, Profile } from './process/protocol.ts';

export interface EmbeddedOptions {
  readonly models: ModelStore;
  readonly log: Log;
  readonly processes?: number;
  readonly idleSeconds?: number;
  /** How long a process may go without a sign of life. */
  readonly stallSeconds?: number;
  readonly memoryMB?: number;
}

export interface EmbeddedEngineOptions extends EmbeddedOptions {
  readonly profile: Exclude<Profile, 'voice'>;
}

/** The engine that needs nothing but this machine. */
export interface EmbeddedEngine extends CaptionEngine {
  /** The processes that live now. */
  readonly pids: readonly number[];
}

/** Counted up whenever the same sound could give other words: with the gate, the decoding, the alignment. */
const revision = 1;

const texts = { moonshine: moonshineModel, whisper: whisperModel };
const memoryMB: Record<Profile, number> = { moonshine: 1_024, whisper: 2_048, voice: 512 };

const loadWithinMs = 120_000;

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const model = texts[options.profile];
  const identity: EngineIdentity = { name: model.name, version: `${model.packageVersion}-${revision}` };
  const { pool, close } = createEars(options.profile, model, options);
  return {
    identity,
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    caption: async (sound, listening) => ({ engine: identity, ...(await pool.listen(sound, listening)) }),
    close,
  };
}

/** The voice gate alone: where somebody speaks, whatever the language. */
export function createVoiceGate(options: EmbeddedOptions): VoiceGate {
  const { pool, close } = createEars('voice', undefined, options);
  return {
    prepare: (signal) => pool.warm(signal),
    findSpeech: async (sound, listening) =>
      (await pool.listen(sound, listening)).segments.map(({ startMs, endMs }) => ({ startMs, endMs })),
    close,
  };
}

function createEars(profile: Profile, text: Model | undefined, options: EmbeddedOptions) {
  const closing = new AbortController();
  const prepareTask = attemptPatiently(
    async (): Promise<ChildTask> => {
      const voiceFolder = await options.models.provide(voiceModel, closing.signal);
      const textFolder = text && (await options.models.provide(text, closing.signal));
      return { profile, voiceFolder, textFolder };
    },
    (reason) => options.log.error({}, `no captions for now: ${reason}`),
  );
  const pool = createPool({
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
  const close = async () => {
    closing.abort(new ListeningFailed('the engine is being shut down'));
    await pool.close();
  };
  return { pool, close };
}
