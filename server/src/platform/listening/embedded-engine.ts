import type { EngineProcessesOptions } from './engine-processes.ts';
import { createEngineProcesses } from './engine-processes.ts';
import type { CaptionEngine, EngineIdentity, VoiceGate, WordAligner } from './engine.ts';
import { moonshineModel, whisperSmallModel } from './models/declaration.ts';

export interface EmbeddedEngineOptions extends EngineProcessesOptions {
  readonly profile: keyof typeof texts;
}

/** The engine that runs on this machine without other services. */
export interface EmbeddedEngine extends CaptionEngine {
  /** The running processes. */
  readonly pids: readonly number[];
}

/**
 * Increase it with every change after which the same sound could give other words: of the gate, decoding or alignment.
 */
const revision = 1;

const texts = { moonshine: moonshineModel, whisper: whisperSmallModel };

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { profile } = options;
  const model = texts[profile];
  const identity: EngineIdentity = { name: model.name, version: `${model.packageVersion}-${revision}` };
  const { pool, close } = createEngineProcesses({ profile, gives: 'captions', model }, options);
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

/** Only the voice gate: finds speech in any language. */
export function createVoiceGate(options: EngineProcessesOptions): VoiceGate {
  const { pool, close } = createEngineProcesses({ profile: 'voice', gives: 'captions' }, options);
  return {
    prepare: (signal) => pool.warm(signal),
    findSpeech: async (sound, listening) =>
      (await pool.listen(sound, listening)).segments.map(({ startMs, endMs }) => ({ startMs, endMs })),
    close,
  };
}

/** Finds the times of words that a person or any engine wrote. */
export function createWordAligner(options: EngineProcessesOptions): WordAligner & Pick<EmbeddedEngine, 'pids'> {
  const { pool, close } = createEngineProcesses({ profile: 'words', gives: 'times of words' }, options);
  return {
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    align: (sound, words, listening) => pool.listen(sound, { ...listening, words }),
    close,
  };
}
