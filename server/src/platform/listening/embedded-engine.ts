import { requireValue } from '../database/stored.ts';
import type { EngineProcessesOptions } from './engine-processes.ts';
import { createEngineProcesses } from './engine-processes.ts';
import type {
  CaptionEngine,
  Captions,
  EngineIdentity,
  Listening,
  Segment,
  Sound,
  SpeechMeter,
  VoiceGate,
  WordAligner,
} from './engine.ts';
import { moonshineBaseModel, whisperSmallModel } from './models/declaration.ts';
import type { ProcessPool } from './process/pool.ts';
import { settleLanguage } from './segment-languages.ts';
import { createThirdModel } from './third-model.ts';

export interface EmbeddedEngineOptions extends EngineProcessesOptions {
  readonly profile: keyof typeof texts;
  /**
   * Which speech that Moonshine is unsure about is passed to Whisper small, at several times the cost: none if not set,
   * all of it, or that of radios (`forRadio`).
   */
  readonly thirdListen?: CaptionEngine['thirdListen'];
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
const revision = 4;

const texts = { moonshine: moonshineBaseModel, whisper: whisperSmallModel };

export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { profile } = options;
  const model = texts[profile];
  const thirdListen = profile === 'moonshine' ? options.thirdListen : undefined;
  const { pool, ...processes } = createEngineProcesses(
    { profile, gives: 'captions', model, mayUseThird: thirdListen !== undefined },
    options,
  );
  const third = createThirdModel(options);
  const close = () => {
    third.close();
    return processes.close();
  };
  const identityOf = (suffix: string): EngineIdentity => ({
    name: model.name,
    version: `${model.packageVersion}-${revision}${suffix}`,
  });
  const captionAs = async (
    { identity }: CaptionEngine,
    sound: Sound,
    listening: Listening,
    thirdFolder?: string,
  ): Promise<Captions> => ({ engine: identity, ...(await collectParts(pool, sound, listening, thirdFolder)) });
  const plain: CaptionEngine = {
    identity: identityOf(''),
    prepare: (signal) => pool.warm(signal),
    caption: (sound, listening) => captionAs(plain, sound, listening),
    close,
  };
  const withThird: CaptionEngine = {
    identity: identityOf('+third'),
    async prepare(signal) {
      await third.require();
      await pool.warm(signal);
    },
    caption: async (sound, listening) => captionAs(withThird, sound, listening, await third.require()),
    close,
  };
  /** Radio does not wait for the model. */
  const forRadio: CaptionEngine = {
    ...withThird,
    async caption(sound, listening) {
      const folder = await third.find(listening.signal);
      return captionAs(folder === undefined ? plain : withThird, sound, listening, folder);
    },
  };
  return {
    ...(thirdListen === 'all' ? withThird : plain),
    thirdListen,
    ...(thirdListen === 'radio' ? { forRadio } : {}),
    get pids() {
      return pool.pids;
    },
  };
}

/** The processes do not keep what they found, so that hours of sound take no more memory than minutes. */
async function collectParts(
  pool: ProcessPool<'moonshine' | 'whisper' | 'voice'>,
  sound: Sound,
  { onPart, ...listening }: Listening,
  thirdFolder?: string,
) {
  const segments: Segment[] = [];
  const transcription = await pool.analyse(sound, {
    ...listening,
    thirdFolder,
    onPart(part) {
      segments.push(...part.segments);
      onPart?.(part);
    },
  });
  return settleLanguage({ ...transcription, segments });
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

/** Finds out how much speech there is, by the voice gate. */
export function createSpeechMeter(options: EngineProcessesOptions): SpeechMeter {
  const { pool, close } = createEngineProcesses({ profile: 'voice', gives: 'seconds of speech' }, options);
  return {
    async measureSpeech(sound, listening) {
      const { speechMs } = await pool.analyse(sound, { ...listening, onPart: () => {} });
      return requireValue(speechMs, 'speechMs of the voice gate');
    },
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
