import type { Client } from '@earshot/client/client';
import type { Captions, Segment } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import { noCaptions, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import { addRecorder, captionOf, endedEvents } from './captioning.ts';
import { createTestEars } from './test-engines.ts';

const engines = createTestEars();
let server: TestServer;
let client: Client;
let heard: Pick<Captions, 'language' | 'isLanguageKnown' | 'segments'>;
beforeAll(async () => {
  const caption: typeof engines.captions.caption = async (sound) => {
    for await (const _ of sound);
    return { ...heard, engine: { name: 'counter', version: '1' }, soundMs: 3_000 };
  };
  Object.assign(engines.captions, { caption });
  server = await startTestServer({ captions: { ...noCaptions, kind: 'moonshine' } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
});
afterAll(() => server.stop());

const segment = (text: string, startMs: number, more: Partial<Segment> = {}): Segment => ({
  startMs,
  endMs: startMs + 900,
  text,
  confidence: 80,
  isLanguageKnown: true,
  words: [],
  ...more,
});

test('doubtful words, words of the vocabulary and speech without words are marked, not in the text', async () => {
  const words = [
    { text: 'Box', startMs: 0, endMs: 300, confidence: 90 },
    { text: 'Quayside', startMs: 300, endMs: 600, confidence: 80, heardAs: 'key side' },
    { text: 'alarm', startMs: 600, endMs: 900, confidence: 69 },
  ];
  heard = {
    language: 'en',
    isLanguageKnown: true,
    segments: [
      segment('Box Quayside alarm', 0, { words }),
      segment('', 1_000, { isUnderstood: false }),
      segment('', 2_000, { isLanguageKnown: false, language: 'es' }),
    ],
  };
  const recorder = await addRecorder(client);
  const clipID = await recorder.add(tinyWav(3));
  const caption = await captionOf(client, clipID);
  expect(caption).toMatchObject({ language: 'en', transcript: 'Box Quayside alarm' });
  expect(caption.segments).toEqual([
    { ...heard.segments[0], words: [words[0], words[1], { ...words[2], isDoubtful: true }] },
    heard.segments[1],
    heard.segments[2],
  ]);
  const params = { captionID: clipID };
  const vtt = await client.getCaptionVtt({ params });
  expect(vtt).toContain('Box Quayside <c.doubtful>alarm</c>\n');
  expect(vtt).toContain('00:00:01.000 --> 00:00:01.900\n[not understood]\n');
  expect(await client.getCaptionSrt({ params })).toContain('[Spanish, not transcribed]');
  const search = (searchText: string) => client.searchCaptions({ query: {}, body: { searchText } });
  expect(await search('understood')).toMatchObject({ total: 0 });
  expect(await search('quayside')).toMatchObject({ total: 1 });

  // A version by a person has no doubtful words.
  await endedEvents(client, recorder.deviceID);
  const restored = await client.restoreCaption({ params, body: { version: 1 } });
  expect(restored.segments[0]?.words.map(({ isDoubtful }) => isDoubtful ?? false)).toEqual([false, false, false]);
  expect(await client.getCaptionVtt({ params })).not.toContain('doubtful');
  const corrected = await client.correctCaption({ params, body: { transcript: 'Box Quayside alert' } });
  expect(corrected.segments.flatMap((one) => one.words).filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
});

test('a foreign clip has its language', async () => {
  heard = { language: 'fr', isLanguageKnown: false, segments: [segment('', 0, { isLanguageKnown: false })] };
  const clipID = await (await addRecorder(client)).add(tinyWav(2));
  expect(await captionOf(client, clipID)).toMatchObject({ language: 'fr', isLanguageKnown: false, transcript: '' });
  expect(await client.getCaptionVtt({ params: { captionID: clipID } })).toContain('[French, not transcribed]');
});

test('a device chooses its profile, a request another one, and the installation the rest', async () => {
  heard = { language: 'en', isLanguageKnown: true, segments: [] };
  const recorder = await addRecorder(client);
  const params = { deviceID: recorder.deviceID };
  const change = (captionEngine: 'fast' | 'accurate' | null) =>
    client.updateDevice({ params, body: { captionEngine } });
  await change('accurate');
  expect(await client.getDevice({ params })).toMatchObject({ captionEngine: 'accurate' });
  const first = await recorder.add(tinyWav(1));
  expect(await captionOf(client, first)).toMatchObject({ engineName: 'other' });
  await change(null);
  expect((await client.getDevice({ params })).captionEngine).toBeUndefined();
  const second = await recorder.add(tinyWav(1));
  expect(await captionOf(client, second)).toMatchObject({ engineName: 'counter' });
  await endedEvents(client, recorder.deviceID);
  await client.captionAudio({ params: recorder, body: { audioClips: [second], again: true, engine: 'accurate' } });
  await endedEvents(client, recorder.deviceID);
  expect(await captionOf(client, second)).toMatchObject({ engineName: 'other', version: 2 });
  await expect(client.updateDevice({ params, body: { captionEngine: 'remote' as 'fast' } })).rejects.toMatchObject({
    status: 400,
  });
});
