import { needs } from '../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Recording } from '../../testing/speech.ts';
import { asSound, joinSound, openTestModels, readRecordings, silence, speak } from '../../testing/speech.ts';
import { silentLog } from '../../testing/log.ts';
import type { EmbeddedEngine } from './embedded-engine.ts';
import { createEmbeddedEngine } from './embedded-engine.ts';
import type { Captions, TranscribedPart } from './engine.ts';

const never = new AbortController().signal;
const wordsOf = ({ segments }: Captions) =>
  segments.flatMap(({ words }) => words.map(({ text }) => text.toLowerCase().replace(/[^a-z']/g, '')));

describe('languages, parts and vocabulary', needs('speech'), () => {
  let engine: EmbeddedEngine;
  let recordings: Recording[];
  let german: Float32Array;
  beforeAll(() => {
    engine = createEmbeddedEngine({ profile: 'moonshine', models: openTestModels(), log: silentLog });
    recordings = readRecordings();
    german = speak(
      'de',
      'Guten Morgen, das Wetter ist heute sehr schön und wir gehen in den Wald spazieren. Danach trinken wir Kaffee.',
    );
  });
  afterAll(() => engine.close());

  test('an unsupported language is marked with its name, and no words are invented', async () => {
    const captions = await engine.caption(asSound(german), { signal: never });
    expect(captions).toMatchObject({ language: 'de', isLanguageKnown: false });
    expect(captions.segments.length).toBeGreaterThan(0);
    for (const segment of captions.segments)
      expect(segment).toMatchObject({ text: '', words: [], isLanguageKnown: false, isUnderstood: false });
  });

  test('parts are reported in order while the rest is processed; another language is marked in its part', async () => {
    const { samples } = recordings[4]!;
    const sound = joinSound(samples, silence(3), german, silence(3), samples);
    const parts: TranscribedPart[] = [];
    const captions = await engine.caption(asSound(sound), { signal: never, onPart: (part) => parts.push(part) });
    expect(parts.length).toBeGreaterThanOrEqual(3);
    expect(parts.flatMap(({ segments }) => segments)).toEqual(captions.segments);
    expect(parts.map(({ untilMs }) => untilMs)).toEqual(
      parts.map(({ untilMs }) => untilMs).toSorted((one, other) => one - other),
    );
    expect(new Set(parts.map(({ language }) => language))).toEqual(new Set(['en']));
    expect(captions).toMatchObject({ language: 'en' });
    const sentence = 'he might even have been made amiable himself'.split(' ');
    expect(wordsOf(captions)).toEqual([...sentence, ...sentence]);
    const foreign = captions.segments.filter(({ isLanguageKnown }) => !isLanguageKnown);
    expect(foreign.length).toBeGreaterThan(0);
    for (const segment of foreign) expect(segment).toMatchObject({ language: 'de', isUnderstood: false, words: [] });
  });

  test('a name of the vocabulary is written as given, with what would have been written without it', async () => {
    const sound = speak('en-us', 'Please send the ambulance to Keswarren now.');
    const without = await engine.caption(asSound(sound), { signal: never });
    expect(wordsOf(without)).not.toContain('keswarren');
    const captions = await engine.caption(asSound(sound), { signal: never, vocabulary: ['Keswarren', 'Ambleforth'] });
    expect(wordsOf(captions)).toContain('keswarren');
    const words = captions.segments.flatMap((segment) => segment.words);
    const heard = words.flatMap(({ text, heardAs = text }) => (heardAs === '' ? [] : heardAs.split(' ')));
    expect(heard).toEqual(without.segments.flatMap((segment) => segment.words.map(({ text }) => text)));
    expect(words.filter(({ heardAs }) => heardAs !== undefined).length).toBeLessThan(4);
  });

  test('a vocabulary changes nothing in speech without its names', async () => {
    const vocabulary = ['Keswarren', 'Ambleforth', 'Engine 96', 'Ostrander Street', 'Kilo Tango', 'Haldane', 'Mirabel'];
    for (const { samples } of [recordings[2]!, recordings[4]!]) {
      const without = await engine.caption(asSound(samples), { signal: never });
      expect(await engine.caption(asSound(samples), { signal: never, vocabulary })).toEqual(without);
    }
  });

  test('an error of the caller while a part is reported fails the clip with it, and the process continues', async () => {
    const pids = new Set(engine.pids);
    const failing = engine.caption(asSound(recordings[4]!.samples), {
      signal: never,
      onPart: () => {
        throw new Error('the part could not be stored');
      },
    });
    await expect(failing).rejects.toThrow('the part could not be stored');
    expect(wordsOf(await engine.caption(asSound(recordings[4]!.samples), { signal: never }))).toContain('amiable');
    expect(new Set(engine.pids)).toEqual(pids);
  });
});
