import type { SpeechEngines } from '@earshot/server/features/caption/engines';
import { cutWords } from '@earshot/server/platform/listening/cut-words';
import type { CaptionEngine, LabelEngine, Sound, Word } from '@earshot/server/platform/listening/engine';
import { createCorpus, seededRandom } from '../search/corpus.ts';

export interface SpeakingEngines extends SpeechEngines {
  /** How many words the next clips have. */
  words: number;
}

const everyMs = 400;
const labels = ['speech', 'vehicle'];

async function lengthOf(sound: Sound): Promise<number> {
  let samples = 0;
  for await (const chunk of sound) samples += chunk.length;
  return Math.round(samples / 16);
}

/** Engines that hear words of the corpus in any sound, and two labels, at once. */
export function createSpeakingEngines(): SpeakingEngines {
  const corpus = createCorpus();
  const random = seededRandom(11);
  const say = (count: number): string[] => {
    const said: string[] = [];
    while (said.length < count) said.push(...corpus.say(random));
    return said.slice(0, count);
  };
  const captions: CaptionEngine = {
    identity: { name: 'bench', version: '1' },
    prepare: async () => {},
    async caption(sound) {
      const soundMs = await lengthOf(sound);
      const words = say(engines.words).map((text, at): Word => ({
        text: at % 10 === 9 ? `${text}.` : text,
        startMs: at * everyMs,
        endMs: at * everyMs + everyMs - 50,
        confidence: 60 + Math.round(40 * random()),
      }));
      return { engine: captions.identity, language: 'en', isLanguageKnown: true, segments: cutWords(words), soundMs };
    },
    close: async () => {},
  };
  const labeller: LabelEngine = {
    identity: { name: 'bench-labels', version: '1' },
    prepare: async () => {},
    label: async (sound) => ({
      engine: labeller.identity,
      labels: labels.map((name) => ({ name, confidence: 80, startMs: 0, endMs: 100 })),
      soundMs: await lengthOf(sound),
    }),
    close: async () => {},
  };
  const engines: SpeakingEngines = {
    words: 20,
    captions,
    labels: labeller,
    findEngine: () => undefined,
    close: async () => {},
  };
  return engines;
}
