import { silence } from '../../../../testing/speech.ts';
import type { TranscribedPart } from '../../engine.ts';
import type { Recognised, Recogniser } from '../recogniser.ts';
import type { SpeechModels } from '../transcribe.ts';
import { transcribe } from '../transcribe.ts';
import type { TranscribeOptions } from '../transcription.ts';

/*
 * Models that answer by the number of a stretch, which is the frequency of its tone in hundreds of hertz, above 4 kHz if
 * the voice is uncertain.
 */

export const never = new AbortController().signal;
const rate = 16_000;
const uncertainHertz = 4_000;
const tone = (hertz: number, seconds: number) =>
  silence(seconds).map((_, at) => 0.2 * Math.sin((2 * Math.PI * hertz * (at + 0.5)) / rate));
export const say = (number: number, seconds = 4) => tone(100 * number, seconds);
export const mumble = (number: number, seconds = 4) => tone(uncertainHertz + 100 * number, seconds);
export const pause = silence(2);

function hertzOf(samples: Float32Array): number {
  const loud = samples.filter((sample) => Math.abs(sample) > 1e-4);
  const waves = loud.filter((sample, at) => sample > 0 && loud[at - 1]! <= 0).length;
  return loud.length > 0 ? (waves * rate) / loud.length : 0;
}
export const judgeVoice = () => (window: Float32Array) => {
  const isLoud = window.some((sample) => Math.abs(sample) > 0.1);
  return Promise.resolve(isLoud ? (hertzOf(window) < uncertainHertz ? 0.9 : 0.45) : 0.05);
};
const numberOf = (samples: Float32Array) => Math.round((hertzOf(samples) % uncertainHertz) / 100);

interface Answer {
  readonly text: string;
  readonly sure?: number;
  readonly isNonsense?: boolean;
}

export const recogniser = (
  answers: Readonly<Record<number, Answer>>,
  heard: string[] = [],
  name = 'first',
): Recogniser => ({
  mostSeconds: 20,
  leastLogProbability: -0.2,
  recognise(samples, _signal, { language = '', vocabulary = [] } = {}): Promise<Recognised> {
    const number = numberOf(samples);
    heard.push([name, number, language, ...vocabulary].join(' '));
    const { text, sure = -0.1, isNonsense = false } = answers[number] ?? { text: '' };
    const words = text.split(' ').filter(Boolean);
    return Promise.resolve({
      language,
      words: words.map((word) => ({ text: word, logProbability: sure })),
      places: undefined,
      logProbability: words.length > 0 ? sure : 0,
      steps: words.length,
      isNonsense,
    });
  },
});

export async function listen(
  sound: readonly Float32Array[],
  models: Partial<SpeechModels>,
  given: Partial<TranscribeOptions> = {},
) {
  const parts: TranscribedPart[] = [];
  const result = await transcribe(
    {
      judgeVoice,
      recognisers: [recogniser({})],
      isSupported: (language) => language === 'en',
      detectLanguage: () => Promise.resolve('en'),
      assumedLanguage: 'en',
      ...models,
    },
    (async function* () {
      yield* sound;
    })(),
    { signal: never, onProgress: () => {}, onPart: (part) => parts.push(part), vocabulary: ['Keswick'], ...given },
  );
  const segments = parts.flatMap((part) => part.segments);
  return { result, parts, segments, texts: segments.map(({ text }) => text) };
}

/** A detector of languages by the number of the first stretch that it gets, which counts its calls. */
export const detector = (languages: Readonly<Record<number, string>>, calls: number[] = []) => ({
  detectLanguage: (samples: Float32Array) => {
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.1);
    const number = numberOf(samples.subarray(first, first + rate));
    calls.push(number);
    return Promise.resolve(languages[number] ?? 'en');
  },
});
