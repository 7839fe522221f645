import type { SpeechEngines } from '@earshot/server/features/caption/engine/engines';
import { cutWords, unknownSegment } from '@earshot/server/platform/listening/cut-words';
import type {
  CaptionEngine,
  Captions,
  Label,
  LabelEngine,
  Listening,
  Sound,
  Word,
} from '@earshot/server/platform/listening/engine';
import { sampleRate } from '@earshot/server/platform/listening/engine';

/*
 * Test engines: they return one word per second of sound, immediately. Tests can make them fail, be unavailable, or
 * wait.
 */

export interface TestEars extends SpeechEngines {
  /** The lengths of the captioned sounds, in tenths of a second, in order. */
  readonly heard: number[];
  /** Called before each clip; may throw or wait. */
  before: (soundMs: number, signal: AbortSignal) => Promise<void> | void;
  /**
   * Called for each second of sound, with the time since the start of the clip. A set function makes the engines give a
   * part for each second.
   */
  eachSecond: ((second: number, soundMs: number, signal: AbortSignal) => Promise<void> | void) | undefined;
  /** As in the real engines: a call waits for the calls before it. */
  isSerial: boolean;
  /** What each call was given. */
  readonly asked: Pick<Listening, 'language' | 'languages' | 'recentLanguages' | 'vocabulary' | 'prompt'>[];
  /** Set: the engine takes speech for this language unless one is set, and its words are not confirmed. */
  mistakenFor: string | undefined;
  /** False: the times of words are estimated, as with a server that returns only a text. */
  givesTimes: boolean;
  /** Called before the labels of a clip. */
  beforeLabels: () => Promise<void> | void;
  /** Called before the engines report that they are ready. */
  prepare: () => Promise<void> | void;
  labelled: readonly Label[];
  /** The words of each alignment. */
  readonly placed: string[][];
  /** Where each of these words was expected. */
  readonly expected: (number | undefined)[][];
  version: string;
}

async function lengthOf(sound: Sound): Promise<number> {
  let samples = 0;
  for await (const chunk of sound) samples += chunk.length;
  return Math.round((1_000 * samples) / sampleRate);
}

/** `one two three`, each a second long. */
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

export function createTestEars(): TestEars {
  const engineOf = (name: string): CaptionEngine => ({
    get identity() {
      return { name, version: engines.version };
    },
    prepare: async () => engines.prepare(),
    caption: (sound: Sound, listening: Listening) => inTurn(() => caption(name, sound, listening)),
    close: async () => {},
  });
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!engines.isSerial) return work();
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const caption = async (name: string, sound: Sound, listening: Listening): Promise<Captions> => {
    const { signal, onProgress, onPart, language, languages = [], recentLanguages, vocabulary, prompt } = listening;
    const soundMs = await lengthOf(sound);
    await engines.before(soundMs, signal);
    signal.throwIfAborted();
    engines.asked.push({ language, languages, recentLanguages, vocabulary, prompt });
    const words = numbers.slice(0, Math.floor(soundMs / 1_000)).map((text, at): Word => ({
      text: `${text}${at % 4 === 3 ? '.' : ''}`,
      startMs: at * 1_000,
      endMs: at * 1_000 + 900,
      confidence: 90,
    }));
    for (const [at, word] of engines.eachSecond ? words.entries() : []) {
      await engines.eachSecond?.(at, soundMs, signal);
      signal.throwIfAborted();
      onPart?.({ segments: cutWords([word]), untilMs: (at + 1) * 1_000, language: 'en' });
    }
    engines.heard.push(Math.round(soundMs / 100));
    onProgress?.(soundMs);
    const cut = engines.eachSecond ? words.flatMap((word) => cutWords([word])) : cutWords(words);
    const segments = engines.givesTimes ? cut : cut.map((segment) => ({ ...segment, isTimed: false }));
    if (engines.mistakenFor !== undefined && languages.length !== 1) {
      const doubted = segments.map((segment) => ({
        ...unknownSegment(segment.startMs, segment.endMs),
        unconfirmed: { language: 'en', words: segment.words },
      }));
      const { mistakenFor } = engines;
      const identity = { name, version: engines.version };
      return { engine: identity, language: mistakenFor, isLanguageKnown: false, segments: doubted, soundMs };
    }
    return { engine: { name, version: engines.version }, language: 'en', isLanguageKnown: true, segments, soundMs };
  };
  const labels: LabelEngine = {
    identity: { name: 'test-labels', version: '1' },
    prepare: async () => {},
    async label(sound) {
      await engines.beforeLabels();
      return { engine: labels.identity, labels: engines.labelled, soundMs: await lengthOf(sound) };
    },
    close: async () => {},
  };
  const other = engineOf('other');
  const engines: TestEars = {
    heard: [],
    placed: [],
    expected: [],
    before: () => {},
    eachSecond: undefined,
    isSerial: false,
    asked: [],
    mistakenFor: undefined,
    givesTimes: true,
    beforeLabels: () => {},
    prepare: () => {},
    labelled: [],
    version: '1',
    captions: engineOf('counter'),
    findEngine: (kind) => (kind === 'whisper' || kind === 'accurate' ? other : undefined),
    // Skipped without labels, because reading the sound again takes time.
    get labels() {
      return engines.labelled.length > 0 ? labels : undefined;
    },
    aligner: {
      prepare: async () => {},
      close: async () => {},
      async align(sound, words) {
        const soundMs = await lengthOf(sound);
        engines.placed.push(words.map(({ text }) => text));
        engines.expected.push(words.map(({ startMs }) => startMs));
        const share = soundMs / words.length;
        return words.map(({ text }, at) => ({
          text,
          startMs: Math.round(at * share),
          endMs: Math.round((at + 1) * share),
          confidence: 80,
        }));
      },
    },
    close: async () => {},
  };
  return engines;
}
