import type { Client } from '@earshot/client/client';
import type { CaptionConfirmation } from '@earshot/contract/caption-version';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, captionOf, endedEvents } from './captioning.ts';
import { createTestEars } from './test-engines.ts';

/* Words whose language is in doubt: kept, shown as such, and counted as nothing until a person confirms them. */

const engines = createTestEars();
let server: TestServer;
let client: Client;
let userID: number;
let recorder: Recorder;
let captionID: number;
beforeAll(async () => {
  server = await startTestServer({}, { engines });
  const person = await server.addPerson();
  userID = person.userID;
  client = (await person.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  engines.mistakenFor = 'zh';
  recorder = await addRecorder(client);
  // `one two three four. five six seven eight.`: two segments.
  captionID = await recorder.add(tinyWav(8));
  await captionOf(client, captionID);
});

const read = () => client.getCaption({ params: { captionID } });
const confirm = (body: CaptionConfirmation = {}) => client.confirmCaption({ params: { captionID }, body });
const unconfirmedWords = async () =>
  (await read()).segments.map(({ unconfirmed }) => unconfirmed?.words.map(({ text }) => text).join(' '));
const find = async (searchText: string) =>
  (await client.searchCaptions({ body: { searchText, deviceIDList: [recorder.deviceID] } })).total;

test('words in doubt are in the caption, and not in transcript, search and subtitles', async () => {
  expect(await read()).toMatchObject({ transcript: '', language: 'zh', isLanguageKnown: false });
  expect(await unconfirmedWords()).toEqual(['one two three four.', 'five six seven eight.']);
  expect(await find('three')).toBe(0);
  const srt = await client.getCaptionSrt({ params: { captionID } });
  expect(srt).toContain('[perhaps Chinese, not confirmed]');
  expect(srt).not.toContain('three');
});

test('a person confirms words, which are found from then on', async () => {
  const confirmed = await confirm({ fromMs: 4_000, version: 1 });
  expect(confirmed).toMatchObject({ version: 2, transcript: 'five six seven eight.', correctedBy: userID });
  expect(await unconfirmedWords()).toEqual(['one two three four.', undefined]);
  expect(await find('seven')).toBe(1);
  expect(await find('three')).toBe(0);
  expect(await confirm()).toMatchObject({
    version: 3,
    transcript: 'one two three four. five six seven eight.',
    language: 'en',
    isLanguageKnown: true,
  });
  expect(await find('three')).toBe(1);
  // Nothing is left to confirm.
  expect(await confirm()).toMatchObject({ version: 3 });
  expect((await client.listCaptionVersions({ params: { captionID } })).map(({ origin }) => origin)).toEqual([
    'hand',
    'hand',
    'engine',
  ]);
});

test('a version that is not the current one any more is not confirmed, and strangers confirm nothing', async () => {
  await confirm({ toMs: 1_000 });
  await expect(confirm({ version: 1 })).rejects.toMatchObject({ status: 409 });
  const stranger = (await (await server.addPerson()).withKey()).client;
  await expect(stranger.confirmCaption({ params: { captionID }, body: {} })).rejects.toMatchObject({ status: 404 });
});

test('a correction keeps words in doubt where nothing was written', async () => {
  const words = [{ text: 'Good', startMs: 500, endMs: 900 }];
  await client.correctCaption({ params: { captionID }, body: { words } });
  expect(await unconfirmedWords()).toEqual([undefined, 'five six seven eight.']);
  expect(await read()).toMatchObject({ transcript: 'Good' });
});

test('with a language set, the clip can be transcribed again, and all its words count', async () => {
  await client.setDeviceLanguages({ params: { deviceID: recorder.deviceID }, body: { languages: ['en'] } });
  expect(await find('three')).toBe(0);
  await client.captionAudio({ params: recorder, body: { again: true } });
  await endedEvents(client, recorder.deviceID);
  expect(await read()).toMatchObject({ version: 2, language: 'en', isLanguageKnown: true });
  expect(await find('three')).toBe(1);
});
