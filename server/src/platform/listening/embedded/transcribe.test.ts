import { expect, test } from 'vitest';
import { joinSound } from '../../../testing/speech.ts';
import { judgeVoice, listen, mumble, pause, recogniser, say } from './testing/tone-models.ts';
import type { SpeechModels } from './transcribe.ts';
import { transcribe } from './transcribe.ts';

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
