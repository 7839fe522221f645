import type { EarsOptions } from './ears.ts';
import { createEars } from './ears.ts';
import type { CaptionEngine, EngineIdentity, VoiceGate, WordAligner } from './engine.ts';
import { moonshineModel, whisperModel } from './models/declaration.ts';

export interface EmbeddedEngineOptions extends EarsOptions {
  readonly profile: keyof typeof texts;
}

/** The engine that needs nothing but this machine. */
export interface EmbeddedEngine extends CaptionEngine {
  /** The processes that live now. */
  readonly pids: readonly number[];
}

/** Counted up whenever the same sound could give other words: with the gate, the decoding, the alignment. */
const revision = 1;

const texts = { moonshine: moonshineModel, whisper: whisperModel };

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { profile } = options;
  const model = texts[profile];
  const identity: EngineIdentity = { name: model.name, version: `${model.packageVersion}-${revision}` };
  const { pool, close } = createEars({ profile, gives: 'captions', model }, options);
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
export function createVoiceGate(options: EarsOptions): VoiceGate {
  const { pool, close } = createEars({ profile: 'voice', gives: 'captions' }, options);
  return {
    prepare: (signal) => pool.warm(signal),
    findSpeech: async (sound, listening) =>
      (await pool.listen(sound, listening)).segments.map(({ startMs, endMs }) => ({ startMs, endMs })),
    close,
  };
}

/** Times for words that somebody wrote, whatever engine wrote the ones before them. */
export function createWordAligner(options: EarsOptions): WordAligner & Pick<EmbeddedEngine, 'pids'> {
  const { pool, close } = createEars({ profile: 'words', gives: 'times of words' }, options);
  return {
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    align: (sound, words, listening) => pool.listen(sound, { ...listening, words }),
    close,
  };
}
