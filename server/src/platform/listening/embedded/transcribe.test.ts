import { expect, test } from 'vitest';
import { joinSound, silence } from '../../../testing/speech.ts';
import type { HeardPart } from '../engine.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import type { SpeechModels } from './transcribe.ts';
import { transcribe } from './transcribe.ts';

/*
 * Models that answer by the number of a stretch, which is the frequency of its tone in hundreds of hertz, above 4 kHz if
 * the voice is uncertain.
 */

const never = new AbortController().signal;
const rate = 16_000;
const uncertainHertz = 4_000;
const tone = (hertz: number, seconds: number) =>
  silence(seconds).map((_, at) => 0.2 * Math.sin((2 * Math.PI * hertz * (at + 0.5)) / rate));
const say = (number: number, seconds = 4) => tone(100 * number, seconds);
const mumble = (number: number, seconds = 4) => tone(uncertainHertz + 100 * number, seconds);
const pause = silence(2);

function hertzOf(samples: Float32Array): number {
  const loud = samples.filter((sample) => Math.abs(sample) > 1e-4);
  const waves = loud.filter((sample, at) => sample > 0 && loud[at - 1]! <= 0).length;
  return loud.length > 0 ? (waves * rate) / loud.length : 0;
}
const judgeVoice = () => (window: Float32Array) => {
  const isLoud = window.some((sample) => Math.abs(sample) > 0.1);
  return Promise.resolve(isLoud ? (hertzOf(window) < uncertainHertz ? 0.9 : 0.45) : 0.05);
};
const numberOf = (samples: Float32Array) => Math.round((hertzOf(samples) % uncertainHertz) / 100);

interface Answer {
  readonly text: string;
  readonly sure?: number;
  readonly isNonsense?: boolean;
}

const recogniser = (answers: Readonly<Record<number, Answer>>, heard: string[] = [], name = 'first'): Recogniser => ({
  mostSeconds: 20,
  leastLogProbability: -0.2,
  recognise(samples, _signal, language = '', vocabulary = []): Promise<Recognised> {
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

async function listen(
  sound: readonly Float32Array[],
  models: Partial<SpeechModels>,
  given: { language?: string } = {},
) {
  const parts: HeardPart[] = [];
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
const detector = (languages: Readonly<Record<number, string>>, calls: number[] = []) => ({
  detectLanguage: (samples: Float32Array) => {
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.1);
    const number = numberOf(samples.subarray(first, first + rate));
    calls.push(number);
    return Promise.resolve(languages[number] ?? 'en');
  },
});

test('each stretch gives a part, in order, and no segment begins before the end of the previous part', async () => {
  const heard: string[] = [];
  const answers = { 1: { text: 'one two.' }, 2: { text: 'three' }, 3: { text: 'four five' } };
  const sound = [pause, say(1), pause, say(2), pause, say(3)];
  const { result, parts, texts } = await listen(sound, { recognisers: [recogniser(answers, heard)] });
  expect(parts).toHaveLength(3);
  expect(texts).toEqual(['one two.', 'three', 'four five']);
  expect(heard).toEqual(['first 1 en Keswick', 'first 2 en Keswick', 'first 3 en Keswick']);
  expect(result).toEqual({ language: 'en', isLanguageKnown: true, soundMs: 18_000 });
  let untilMs = 0;
  for (const part of parts) {
    expect(part.language).toBe('en');
    for (const { startMs, endMs } of part.segments) {
      expect(startMs).toBeGreaterThanOrEqual(untilMs);
      expect(endMs).toBeLessThanOrEqual(part.untilMs);
    }
    ({ untilMs } = part);
  }
  expect(untilMs).toBe(18_000);
});

test('only an unsure, empty or looping answer is heard again, and the better answer is kept', async () => {
  const heard: string[] = [];
  const first = {
    1: { text: 'sure' },
    2: { text: 'unsure', sure: -0.5 },
    3: { text: 'still better', sure: -0.3 },
    4: { text: '' },
    5: { text: 'no no no', sure: -0.01, isNonsense: true },
  };
  const second = {
    2: { text: 'now sure', sure: -0.1 },
    3: { text: 'worse', sure: -0.6 },
    4: { text: 'found', sure: -0.9 },
    5: { text: 'sense', sure: -1 },
  };
  const sound = [1, 2, 3, 4, 5].flatMap((number) => [say(number), pause]);
  const recognisers: SpeechModels['recognisers'] = [
    recogniser(first, heard, 'first'),
    recogniser(second, heard, 'second'),
  ];
  const { texts, segments } = await listen(sound, { recognisers });
  expect(texts).toEqual(['sure', 'now sure', 'still better', 'found', 'sense']);
  expect(heard.filter((line) => line.startsWith('second'))).toHaveLength(4);
  // However unsure they are, words are kept with their confidence.
  expect(segments.map(({ confidence }) => confidence)).toEqual([90, 90, 74, 41, 37]);
});

test('what stays unsure is passed to the last recogniser, if there is one', async () => {
  const heard: string[] = [];
  const recognisers: SpeechModels['recognisers'] = [
    recogniser({ 1: { text: 'sure' }, 2: { text: 'unsure', sure: -0.5 }, 3: { text: 'kept', sure: -0.5 } }),
  ];
  const lastRecogniser = recogniser({ 2: { text: 'exact', sure: -0.8 } }, heard, 'last');
  const { texts } = await listen([say(1), pause, say(2), pause, say(3)], { recognisers, lastRecogniser });
  expect(texts).toEqual(['sure', 'exact', 'kept']);
  expect(heard).toEqual(['last 2 en Keswick', 'last 3 en Keswick']);
});

test('speech without an answer is marked, and a sound like a cough is not', async () => {
  const sound = [say(1), pause, say(2, 0.6), pause, mumble(3), pause, say(4)];
  const { segments, result } = await listen(sound, { recognisers: [recogniser({ 1: { text: 'words' } })] });
  expect(segments).toHaveLength(2);
  expect(segments[1]).toMatchObject({ text: '', words: [], isUnderstood: false, isLanguageKnown: true });
  expect(segments[1]!.startMs).toBeGreaterThan(10_000);
  expect(result).toMatchObject({ language: 'en', isLanguageKnown: true });
  expect(await listen([mumble(3), pause, say(2, 0.6)], {})).toMatchObject({
    segments: [],
    result: { language: undefined, isLanguageKnown: true },
  });
});

test('words in a short sound are dropped if neither the voice nor the words are certain', async () => {
  const recognisers: SpeechModels['recognisers'] = [
    recogniser({ 1: { text: 'yes', sure: -0.5 }, 2: { text: 'no', sure: -0.1 }, 3: { text: 'well', sure: -0.5 } }),
  ];
  const sound = [mumble(1, 0.6), pause, mumble(2, 0.6), pause, say(3, 0.6)];
  expect((await listen(sound, { recognisers })).texts).toEqual(['no', 'well']);
});

test('a clip in an unsupported language is marked with it, and no words are invented', async () => {
  const heard: string[] = [];
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 1: { text: 'fluent nonsense' } }, heard)];
  const languages = detector({ 1: 'es', 2: 'es' }, calls);
  const { segments, result, parts } = await listen([say(1), pause, say(2)], { recognisers, ...languages });
  expect(heard).toEqual([]);
  expect(result).toMatchObject({ language: 'es', isLanguageKnown: false });
  expect(parts.map(({ language }) => language)).toEqual(['es', 'es']);
  for (const segment of segments)
    expect(segment).toMatchObject({ text: '', words: [], isLanguageKnown: false, isUnderstood: false });
  expect(segments.map(({ language }) => language)).toEqual([undefined, undefined]);
});

test('a supported language in a clip of another one is transcribed and marked', async () => {
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 2: { text: 'hello' }, 3: { text: 'you' } })];
  const sound = [say(1), pause, say(2), pause, say(3, 0.5), pause, say(4)];
  const { segments, result } = await listen(sound, { recognisers, ...detector({ 1: 'es', 4: 'es' }) });
  expect(segments.map(({ text, language }) => [text, language])).toEqual([
    ['', undefined],
    ['hello', 'en'],
    // Too short to decide, so it follows the previous stretch.
    ['you', 'en'],
    ['', undefined],
  ]);
  expect(result).toMatchObject({ language: 'es', isLanguageKnown: false });
});

test('an unsure stretch in another language is marked with it', async () => {
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [
    recogniser({ 1: { text: 'one' }, 2: { text: 'sure' }, 3: { text: 'strange', sure: -0.7 }, 4: { text: 'four' } }),
  ];
  const sound = [say(1), pause, say(2), pause, say(3), pause, say(3, 0.5), pause, say(4)];
  const { segments, result } = await listen(sound, { recognisers, ...detector({ 2: 'es', 3: 'fr' }, calls) });
  expect(segments.map(({ text, language }) => [text, language])).toEqual([
    ['one', undefined],
    ['sure', undefined],
    ['', 'fr'],
    ['', 'fr'],
    ['four', undefined],
  ]);
  expect(segments[2]).toMatchObject({ isLanguageKnown: false, isUnderstood: false });
  expect(calls).toEqual([1, 3]);
  expect(result).toMatchObject({ language: 'en', isLanguageKnown: true });
});

test('the language of the clip is decided when there is enough speech, or at its end', async () => {
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 1: { text: 'one' }, 2: { text: 'two' } })];
  const first = await listen([say(1, 1.6), pause, say(2, 4)], { recognisers, ...detector({}, calls) });
  expect(first.texts).toEqual(['one', 'two']);
  expect(calls).toEqual([1]);
  const short = await listen([say(1, 2)], { recognisers, ...detector({ 1: 'es' }, calls) });
  expect(short.result).toMatchObject({ language: 'es', isLanguageKnown: false });
});

test('the language of sound that is short or unclear is assumed, so that a cough is not foreign speech', async () => {
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 1: { text: 'yes' }, 3: { text: 'three' } })];
  const languages = detector({ 1: 'es', 2: 'es' }, calls);
  const sound = [say(1, 0.8), pause, say(2, 0.5), pause, mumble(2, 5)];
  const { texts, result, parts } = await listen(sound, { recognisers, ...languages });
  expect({ texts, calls: calls.length }).toEqual({ texts: ['yes'], calls: 1 });
  expect(parts.map(({ language }) => language)).toEqual([undefined, undefined, undefined]);
  expect(result).toMatchObject({ language: 'en', isLanguageKnown: true });
  const decided = await listen([...sound, pause, say(3)], { recognisers, ...languages });
  expect(decided.texts).toEqual(['yes', 'three']);
  expect(decided.parts.at(-1)).toMatchObject({ language: 'en' });
});

test('a given language is not decided again', async () => {
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 1: { text: 'one' } })];
  const { result, texts } = await listen(
    [say(1)],
    { recognisers, ...detector({ 1: 'es' }, calls) },
    { language: 'en' },
  );
  expect({ language: result.language, texts, calls }).toEqual({ language: 'en', texts: ['one'], calls: [] });
});

test('a recogniser of many languages gets the language of the clip, and of an unsure stretch its own', async () => {
  const heard: string[] = [];
  const recognisers: SpeechModels['recognisers'] = [
    recogniser({ 1: { text: 'hola' }, 2: { text: 'hmm', sure: -0.6 } }, heard),
  ];
  const languages = detector({ 1: 'es', 2: 'fr' });
  const models = { recognisers, isSupported: () => true, assumedLanguage: undefined, ...languages };
  const { segments, result } = await listen([say(1), pause, say(2)], models);
  expect(heard).toEqual(['first 1 es Keswick', 'first 2 es Keswick', 'first 2 fr Keswick']);
  expect(segments.map(({ language }) => language)).toEqual([undefined, 'fr']);
  expect(result).toMatchObject({ language: 'es', isLanguageKnown: true });
});

test('a cancelled clip stops', async () => {
  const stop = AbortSignal.abort(new Error('no longer wanted'));
  const work = transcribe(
    { judgeVoice, recognisers: [recogniser({})], isSupported: () => true, detectLanguage: () => Promise.resolve('en') },
    (async function* () {
      yield joinSound(say(1), pause);
    })(),
    { signal: stop, onProgress: () => {}, onPart: () => {} },
  );
  await expect(work).rejects.toThrow('no longer wanted');
});
