import { expect, test } from 'vitest';
import { detector, listen, mumble, pause, recogniser, say } from './testing/tone-models.ts';
import type { SpeechModels } from './transcribe.ts';

test('a clip in an unsupported language is marked with it, and its words are kept without confirming them', async () => {
  const calls: number[] = [];
  const recognisers: SpeechModels['recognisers'] = [recogniser({ 1: { text: 'fluent nonsense' } })];
  const languages = detector({ 1: 'es', 2: 'es' }, calls);
  const { segments, result, parts } = await listen([say(1), pause, say(2)], { recognisers, ...languages });
  expect(result).toMatchObject({ language: 'es', isLanguageKnown: false });
  expect(parts.map(({ language }) => language)).toEqual(['es', 'es']);
  for (const segment of segments)
    expect(segment).toMatchObject({ text: '', words: [], isLanguageKnown: false, isUnderstood: false });
  expect(segments.map(({ language }) => language)).toEqual([undefined, undefined]);
  const words = [expect.objectContaining({ text: 'fluent' }), expect.objectContaining({ text: 'nonsense' })];
  expect(segments.map(({ unconfirmed }) => unconfirmed)).toEqual([{ language: 'en', words }, undefined]);
});

test('with one spoken language nothing is decided, and all its words count', async () => {
  const calls: number[] = [];
  const heard: string[] = [];
  const answers = { 1: { text: 'one' }, 2: { text: 'two', sure: -0.9 } };
  const sound = [say(1), pause, say(2)];
  const models = { recognisers: [recogniser(answers)] as const, ...detector({ 1: 'zh', 2: 'zh' }, calls) };
  const english = await listen(sound, models, { languages: ['en'], language: 'zh' });
  expect(english.segments.map(({ text, isLanguageKnown }) => [text, isLanguageKnown])).toEqual([
    ['one', true],
    ['two', true],
  ]);
  expect(english.result).toMatchObject({ language: 'en', isLanguageKnown: true });
  const spanish = await listen(sound, models, { languages: ['es'] });
  expect(spanish.segments.map(({ text, unconfirmed }) => [text, unconfirmed])).toEqual([
    ['', undefined],
    ['', undefined],
  ]);
  expect(spanish.result).toMatchObject({ language: 'es', isLanguageKnown: false });
  const lastRecogniser = recogniser({ 1: { text: 'uno' }, 2: { text: 'dos' } }, heard, 'last');
  const accurate = await listen(sound, { ...models, lastRecogniser }, { languages: ['es'] });
  expect(accurate.texts).toEqual(['uno', 'dos']);
  expect(heard).toEqual(['last 1 es Keswick', 'last 2 es Keswick']);
  expect(calls).toEqual([]);
});

test('the last recogniser decides what the others do not support', async () => {
  const heard: string[] = [];
  const recognisers = [recogniser({ 1: { text: 'fluent nonsense' } }, heard)] as const;
  const lastRecogniser = recogniser({ 1: { text: 'a word with an accent' } }, heard, 'last');
  const { texts, result } = await listen([say(1)], { recognisers, lastRecogniser, ...detector({ 1: 'zh' }) });
  expect(texts).toEqual(['a word with an accent']);
  expect(heard).toEqual(['last 1 en Keswick']);
  expect(result).toMatchObject({ isLanguageKnown: true });
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
  expect(segments[2]?.unconfirmed?.words.map(({ text }) => text)).toEqual(['strange']);
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
