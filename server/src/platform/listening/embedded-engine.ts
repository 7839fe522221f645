import type { EngineProcessesOptions } from './engine-processes.ts';
import { createEngineProcesses } from './engine-processes.ts';
import type { CaptionEngine, EngineIdentity, Listening, Segment, Sound, VoiceGate, WordAligner } from './engine.ts';
import { moonshineBaseModel, whisperSmallModel } from './models/declaration.ts';
import type { ProcessPool } from './process/pool.ts';

export interface EmbeddedEngineOptions extends EngineProcessesOptions {
  readonly profile: keyof typeof texts;
  /** Whether speech that Moonshine is unsure about is passed to Whisper small, at several times the cost. */
  readonly thirdListen?: boolean;
}

/** The engine that runs on this machine without other services. */
export interface EmbeddedEngine extends CaptionEngine {
  /** The running processes. */
  readonly pids: readonly number[];
}

/**
 * Increase it with every change after which the same sound could give other words: of the gate, decoding, languages or
 * times.
 */
const revision = 3;

const texts = { moonshine: moonshineBaseModel, whisper: whisperSmallModel };

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { profile } = options;
  const model = texts[profile];
  const third = options.thirdListen === true && profile === 'moonshine' ? whisperSmallModel : undefined;
  const identity: EngineIdentity = {
    name: model.name,
    version: `${model.packageVersion}-${revision}${third ? '+third' : ''}`,
  };
  const { pool, close } = createEngineProcesses({ profile, gives: 'captions', model, third }, options);
  return {
    identity,
    get pids() {
      return pool.pids;
    },
    prepare: (signal) => pool.warm(signal),
    caption: async (sound, listening) => ({ engine: identity, ...(await collectParts(pool, sound, listening)) }),
    close,
  };
}

/** The processes do not keep what they found, so that hours of sound take no more memory than minutes. */
async function collectParts(
  pool: ProcessPool<'moonshine' | 'whisper' | 'voice'>,
  sound: Sound,
  { onPart, ...listening }: Listening,
) {
  const segments: Segment[] = [];
  const transcription = await pool.analyse(sound, {
    ...listening,
    onPart(part) {
      segments.push(...part.segments);
      onPart?.(part);
    },
  });
  return { ...transcription, segments };
}

/** Only the voice gate: finds speech in any language. */
export function createVoiceGate(options: EngineProcessesOptions): VoiceGate {
  const { pool, close } = createEngineProcesses({ profile: 'voice', gives: 'captions' }, options);
  return {
    prepare: (signal) => pool.warm(signal),
    findSpeech: async (sound, listening) =>
      (await collectParts(pool, sound, listening)).segments.map(({ startMs, endMs }) => ({ startMs, endMs })),
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
    align: (sound, words, listening) => pool.analyse(sound, { ...listening, words }),
    close,
  };
}
