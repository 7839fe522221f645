import type { Client } from '@earshot/client/client';
import { ListeningFailed } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import { noCaptions, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, endedEvents, eventsOf, eventually, findCaption, resultOf, start } from './captioning.ts';
import { createTestEars } from './test-engines.ts';

// POST /v1/caption/audio/{deviceSerial}: captions a backlog, or clips again.

const engines = createTestEars();
let server: TestServer;
let client: Client;
let recorder: Recorder;
/** Half a second each, at 0, 100 and 200 seconds. */
let clips: number[];
beforeAll(async () => {
  // An engine is configured, so that requests may name others; these test engines replace all of them.
  const captions = { ...noCaptions, kind: 'moonshine' } as const;
  server = await startTestServer({ captions, eventTimes: { leaseSeconds: 300, retrySeconds: 1 } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  engines.heard.length = 0;
  engines.before = () => {};
  engines.labelled = [];
  recorder = await addRecorder(client, false);
  clips = [await recorder.add(tinyWav(1)), await recorder.add(tinyWav(2)), await recorder.add(tinyWav(3))];
});

const ask = (body?: object, query?: { maxLabels?: number; minConfidence?: number }) =>
  client.captionAudio({
    params: { deviceSerial: recorder.deviceSerial },
    ...(query ? { query } : {}),
    body: body ?? {},
  });
const captioned = async () => {
  const found = await Promise.all(clips.map((clipID) => findCaption(client, clipID)));
  return found.map((caption) => caption !== undefined);
};
const lastResult = async () => resultOf((await endedEvents(client, recorder.deviceID)).at(-1) ?? {});

test('captions all clips without a caption, oldest first, in one event; a second request has nothing to do', async () => {
  await recorder.announce(300);
  // Without a body, as clients in the field send it.
  const { credential } = await server.admin.withKey();
  const authorization = `Basic ${btoa(`${credential.accessKey}:${credential.secretKey}`)}`;
  const url = new URL(`/v1/caption/audio/${recorder.deviceSerial}`, server.url);
  const response = await fetch(url, { method: 'POST', headers: { authorization } });
  expect([response.status, await response.text()]).toEqual([200, '']);
  const [event, ...others] = await endedEvents(client, recorder.deviceID);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ eventStatus: 4, percentComplete: 100, maxAttempts: 3 });
  expect(resultOf(event ?? {})).toEqual({ captioned: 3 });
  expect(engines.heard).toEqual([10, 20, 30]);
  await ask();
  expect(await lastResult()).toEqual({ captioned: 0 });
});

test('captions only the given clips, or those of a range', async () => {
  await ask({ audioClips: [clips[1]] });
  expect(await lastResult()).toEqual({ captioned: 1 });
  expect(await captioned()).toEqual([false, true, false]);
  await ask({ startEpoch: start + 200, endEpoch: start + 201 });
  expect(await lastResult()).toEqual({ captioned: 1 });
  expect(await captioned()).toEqual([false, true, true]);
});

test('an invalid request is refused, and nothing is enqueued', async () => {
  const other = await addRecorder(client, false);
  const stranger = await other.announce();
  const refused = [
    { audioClips: [clips[0], stranger] },
    { startEpoch: 10, endEpoch: 9 },
    { engine: 'crystal ball' },
    // Not configured: its server has no address.
    { engine: 'deepgram' },
    { audioClips: 'all' },
  ];
  for (const body of refused) expect(await statusOf(ask(body))).toBe(400);
  for (const query of [{ maxLabels: 0 }, { maxLabels: 51 }, { minConfidence: 101 }, { minConfidence: -1 }])
    expect(await statusOf(ask({}, query))).toBe(400);
  expect(await eventsOf(client, recorder.deviceID)).toEqual([]);
});

test('the request limits the number and confidence of tags', async () => {
  engines.labelled = [
    { name: 'owl', confidence: 40, startMs: 0, endMs: 10 },
    { name: 'fox', confidence: 30, startMs: 0, endMs: 10 },
    { name: 'car', confidence: 5, startMs: 0, endMs: 10 },
  ];
  await ask({ audioClips: [clips[0]] }, { maxLabels: 2, minConfidence: 10 });
  await endedEvents(client, recorder.deviceID);
  const tags = await client.listAudioClipTags({ params: { audioClipID: clips[0] ?? 0 } });
  expect(tags.map(({ tagName, confidence }) => [tagName, confidence])).toEqual([
    ['owl', 40],
    ['fox', 30],
  ]);
});

test('captions again with another engine as a new version of each', async () => {
  await ask();
  await endedEvents(client, recorder.deviceID);
  await ask({ again: true, engine: 'whisper', startEpoch: start, endEpoch: start + 101 });
  expect(await lastResult()).toEqual({ captioned: 2 });
  const versions = await client.listCaptionVersions({ params: { captionID: clips[0] ?? 0 } });
  expect(versions.map(({ version, engineName, isCurrent }) => [version, engineName, isCurrent])).toEqual([
    [2, 'other', true],
    [1, 'counter', false],
  ]);
  expect(await client.listCaptionVersions({ params: { captionID: clips[2] ?? 0 } })).toHaveLength(1);
});

test('a clip that fails is named after three attempts, and the others are captioned', async () => {
  let attempts = 0;
  engines.before = (soundMs) => {
    if (soundMs !== 2_000) return;
    attempts += 1;
    throw new ListeningFailed('the process that listened to this clip is gone: SIGSEGV');
  };
  await ask();
  expect(await lastResult()).toEqual({
    captioned: 2,
    failedCount: 1,
    failed: [{ audioClipID: clips[1], reason: 'The process that listened to this clip is gone: SIGSEGV.' }],
  });
  expect(attempts).toBe(3);
  expect(await captioned()).toEqual([true, false, true]);
});

test('the event of a single clip fails after three attempts with the reason', async () => {
  engines.before = () => {
    throw new ListeningFailed('the engine could not listen to this clip: it is cursed');
  };
  await ask({ audioClips: [clips[0]] });
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 5, attemptNumber: 3 });
  expect(event?.result).toBe('The engine could not listen to this clip: it is cursed.');
  // Sound that is uploaded after that is captioned.
  engines.before = () => {};
  await client.updateDevice({ params: { deviceID: recorder.deviceID }, body: { autoCaption: true } });
  await recorder.put(clips[0] ?? 0, tinyWav(2));
  await endedEvents(client, recorder.deviceID);
  expect(await findCaption(client, clips[0] ?? 0)).toMatchObject({ transcript: 'one two' });
});

test('a cancelled request stops and keeps its finished clips; a second request captions the others', async () => {
  let waiting = 0;
  engines.before = async (soundMs, signal) => {
    if (soundMs !== 2_000) return;
    waiting += 1;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  await ask();
  await eventually(() => expect(waiting).toBe(1));
  const [event] = await eventsOf(client, recorder.deviceID);
  // One of three clips is captioned.
  expect(event?.percentComplete).toBeCloseTo(100 / 3);
  await client.cancelEvent({ params: { eventID: event?.key ?? 0 } });
  await eventually(async () => expect(await captioned()).toEqual([true, false, false]));
  engines.before = () => {};
  engines.heard.length = 0;
  await ask();
  expect(await lastResult()).toEqual({ captioned: 2 });
  expect(engines.heard).toEqual([20, 30]);
});

test('a long backlog does not delay a new clip', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  engines.before = (soundMs) => (soundMs === 1_000 ? released : undefined);
  await ask();
  const live = await addRecorder(client);
  const clipID = await live.add(tinyWav(4));
  await eventually(async () => expect(await findCaption(client, clipID)).toBeDefined());
  expect(await captioned()).toEqual([false, false, false]);
  release();
  expect(await lastResult()).toEqual({ captioned: 3 });
});
