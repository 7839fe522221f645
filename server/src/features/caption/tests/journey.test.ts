import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import {
  addRecorder,
  captionOf,
  endedEvents,
  plainWords,
  readRecording,
  realEngine,
  saidInRecording,
  start,
} from './captioning.ts';

describe('with the real engine', needs('speech'), () => {
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    server = await startTestServer({ captions: realEngine });
    client = (await (await server.addPerson()).withKey()).client;
  });
  afterAll(() => server.stop());

  test('an uploaded clip gets a transcript, subtitles, and is found by the search', async () => {
    const recorder = await addRecorder(client);
    const clipID = await recorder.add(readRecording());
    const caption = await captionOf(client, clipID);

    expect(caption).toMatchObject({
      key: clipID,
      deviceID: recorder.deviceID,
      version: 1,
      language: 'en',
      isLanguageKnown: true,
      engineName: 'moonshine-base',
    });
    expect(plainWords(caption)).toBe(saidInRecording);
    expect(caption.transcript?.toLowerCase()).toContain('might even have been');
    expect(caption).not.toHaveProperty('correctedBy');
    const words = caption.segments.flatMap((segment) => segment.words);
    for (const [at, word] of words.entries()) {
      expect(word.startMs).toBeGreaterThanOrEqual(words[at - 1]?.endMs ?? 0);
      expect(word.endMs).toBeGreaterThan(word.startMs);
    }

    const [event, ...others] = await endedEvents(client, recorder.deviceID);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ eventType: 'Caption_audio', serverEvent: 1, eventStatus: 4, attemptNumber: 1 });
    expect(event?.result).toBe('{"captioned":1}');

    const found = async (searchText: string) => {
      const body = { deviceIDList: [recorder.deviceID], searchText, startEpoch: start };
      const { audioClipList } = await client.listAudioClipsWithTags({ body });
      return audioClipList;
    };
    expect(await found('AMIABLE made')).toMatchObject([
      { key: clipID, captionID: clipID, transcript: caption.transcript },
    ]);
    expect(await found('submarine')).toEqual([]);

    const vtt = await client.getCaptionVtt({ params: { captionID: clipID } });
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n/);
    expect(vtt.replaceAll('\n', ' ')).toContain('might even have been');
    expect(await client.getCaptionSrt({ params: { captionID: clipID } })).toMatch(/^1\n00:00:0\d,\d{3} --> /);
  });

  test('a clip without speech gets a caption without words, and is not captioned again', async () => {
    const recorder = await addRecorder(client);
    const clipID = await recorder.add(tinyWav(1));
    expect(await captionOf(client, clipID)).toMatchObject({ transcript: '', segments: [], version: 1 });
    await client.captionAudio({ params: { deviceSerial: recorder.deviceSerial }, body: {} });
    const events = await endedEvents(client, recorder.deviceID);
    expect(events.map(({ result }) => result)).toEqual(['{"captioned":1}', '{"captioned":0}']);
    expect(await client.listCaptionVersions({ params: { captionID: clipID } })).toHaveLength(1);
    expect(await client.getCaptionVtt({ params: { captionID: clipID } })).toBe('WEBVTT\n');
    expect(await client.getCaptionSrt({ params: { captionID: clipID } })).toBe('');
  });
});
