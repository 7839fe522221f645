import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { noCaptions, startTestServer } from '@earshot/server/testing/server';
import { ListeningFailed } from '@earshot/server/platform/listening/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, captionOf, endedEvents, eventsOf, eventually, findCaption } from './captioning.ts';
import type { TestEars } from './test-engines.ts';
import { createTestEars } from './test-engines.ts';

let engines: TestEars;
let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeEach(async () => {
  engines = createTestEars();
  engines.isSerial = true;
  // A save after each part; a turn is over after each save.
  const captions = { ...noCaptions, pace: { saveEveryMs: 0, turnMs: 0 } };
  server = await startTestServer({ captions, eventTimes: { leaseSeconds: 300, retrySeconds: 0 } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
  recorder = await addRecorder(client);
});
afterEach(() => server.stop());

/** Makes the engine wait at a second of a sound, until it is released. */
function holdAt(second: number, soundMs: number) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  engines.eachSecond = async (at, ms, signal) => {
    // A part is saved between two seconds.
    await sleep(20);
    if (at !== second || ms !== soundMs) return;
    reach();
    await Promise.race([released, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
  };
  return { release, reached };
}

const texts = (caption: { segments: { text: string }[] } | undefined) => caption?.segments.map(({ text }) => text);
const parts = async () => (await server.db`select 1 from caption_parts`).length;
const versions = (captionID: number) => client.listCaptionVersions({ params: { captionID } });

test('words appear while the rest is heard; the result is one version, and no parts are left', async () => {
  const hold = holdAt(3, 5_000);
  const clipID = await recorder.add(tinyWav(5));
  await hold.reached;
  const partial = await eventually(async () => {
    const found = await findCaption(client, clipID);
    expect(texts(found)).toEqual(['one', 'two', 'three']);
    return found;
  });
  expect(partial).toMatchObject({
    key: clipID,
    deviceID: recorder.deviceID,
    heardUntilMs: 3_000,
    transcript: 'one two three',
    language: 'en',
    engineName: 'counter',
  });
  expect(partial?.version).toBeUndefined();
  expect((await client.getCaptionProgress()).runningList).toEqual([{ audioClipID: clipID, heardUntilMs: 3_000 }]);
  expect(await client.getCaptionVtt({ params: { captionID: clipID } })).toContain('three');
  expect(await versions(clipID)).toEqual([]);
  const search = () => client.searchCaptions({ query: {}, body: { searchText: 'three' } });
  expect(await search()).toMatchObject({ total: 0 });
  hold.release();
  await endedEvents(client, recorder.deviceID);
  const caption = await captionOf(client, clipID);
  expect(texts(caption)).toEqual(['one', 'two', 'three', 'four.', 'five']);
  expect(caption).toMatchObject({ version: 1 });
  expect(caption.heardUntilMs).toBeUndefined();
  expect(await versions(clipID)).toHaveLength(1);
  expect(await parts()).toBe(0);
  expect(await search()).toMatchObject({ total: 1 });
  expect((await client.getCaptionProgress()).runningList).toEqual([]);
});

test('strangers see no words of a clip that is being transcribed', async () => {
  const hold = holdAt(2, 4_000);
  const clipID = await recorder.add(tinyWav(4));
  await hold.reached;
  await eventually(async () => expect(texts(await findCaption(client, clipID))).toHaveLength(2));
  const stranger = (await server.addPerson()).session;
  expect(await findCaption(stranger, clipID)).toBeUndefined();
  expect((await stranger.getCaptionProgress()).runningList).toEqual([]);
  hold.release();
});

test('a retry continues after the last part, with the language of the clip and shifted times', async () => {
  let failures = 0;
  engines.eachSecond = async (at) => {
    await sleep(20);
    if (at < 3 || failures++ > 0) return;
    throw new ListeningFailed('the process is gone');
  };
  const clipID = await recorder.add(tinyWav(6));
  const caption = await captionOf(client, clipID).then(() =>
    eventually(async () => {
      const found = await findCaption(client, clipID);
      expect(found?.version).toBe(1);
      return found;
    }),
  );
  // The engine counts from one again: it heard the rest of the sound only.
  expect(texts(caption)).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
  expect(caption?.segments.map(({ startMs }) => startMs)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  expect(caption?.segments[4]?.words).toMatchObject([{ startMs: 4_000, endMs: 4_900 }]);
  expect(engines.asked.map(({ language }) => language)).toEqual([undefined, 'en']);
  expect(engines.heard).toEqual([30]);
  expect(await versions(clipID)).toHaveLength(1);
  expect(await parts()).toBe(0);
});

test('parts of another engine version or of another file are not continued', async () => {
  let failures = 0;
  engines.eachSecond = async (at, soundMs) => {
    await sleep(20);
    if (at < 2 || failures++ > 0) return;
    if (soundMs === 4_000) engines.version = '2';
    else await recorder.put(clipIDs[1] ?? 0, tinyWav(3));
    throw new ListeningFailed('the process is gone');
  };
  const clipIDs = [await recorder.announce(), await recorder.announce()];
  await recorder.put(clipIDs[0]!, tinyWav(4));
  await endedEvents(client, recorder.deviceID);
  const first = await captionOf(client, clipIDs[0]!);
  expect(texts(first)).toEqual(['one', 'two', 'three', 'four.']);
  expect(first).toMatchObject({ engineVersion: '2' });
  failures = 0;
  await recorder.put(clipIDs[1]!, tinyWav(5));
  await endedEvents(client, recorder.deviceID);
  const second = await captionOf(client, clipIDs[1]!);
  expect(texts(second)).toEqual(['one', 'two', 'three']);
  expect(await versions(clipIDs[1]!)).toHaveLength(1);
  expect(await parts()).toBe(0);
});

test('a clip whose transcription fails finally shows no words any more', async () => {
  engines.eachSecond = async (at) => {
    await sleep(20);
    if (at >= 1) throw new ListeningFailed('the process is gone');
  };
  const clipID = await recorder.add(tinyWav(6));
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 5, attemptNumber: 3 });
  expect(await findCaption(client, clipID)).toBeUndefined();
  expect(await parts()).toBe(0);
});

test('a removed clip takes its parts with it, and those of a cancelled event are not shown', async () => {
  const hold = holdAt(2, 4_000);
  const clipID = await recorder.add(tinyWav(4));
  await hold.reached;
  await eventually(async () => expect(texts(await findCaption(client, clipID))).toHaveLength(2));
  await server.db`update events set event_status = 6`;
  expect(await findCaption(client, clipID)).toBeUndefined();
  await client.deleteAudioClip({ params: { audioClipID: clipID } });
  expect(await parts()).toBe(0);
  hold.release();
});

/** The lengths of short clips are no whole seconds, so that the rest of a long clip differs from them. */
const isLong = (soundMs: number) => soundMs % 1_000 === 0;
const mostShort = 60;
const longSeconds = 5;

test('new short clips are not held up by a long one, and a stream of them does not stop the long one', async () => {
  const short = await addRecorder(client);
  let added = 0;
  let isStreaming = true;
  // The long clip continues when its part is saved, or stops because its turn is over.
  engines.eachSecond = async (at, soundMs, signal) => {
    await sleep(20);
    const heard = longSeconds - soundMs / 1_000 + at;
    while (isLong(soundMs) && !signal.aborted && (await parts()) < heard) await sleep(20);
  };
  // Whenever a clip is heard, another new one waits.
  engines.before = async () => {
    if (isStreaming && added++ < mostShort) await short.add(tinyWav(1.5));
  };
  const clipID = await recorder.add(tinyWav(longSeconds));
  const [ofLong] = await endedEvents(client, recorder.deviceID);
  isStreaming = false;
  await endedEvents(client, short.deviceID);

  expect(added).toBeLessThan(mostShort);
  expect(engines.heard.findIndex((tenths) => isLong(tenths * 100))).toBeGreaterThan(1);
  const history = await client.listEventHistory({ params: { eventID: ofLong?.key ?? 0 } });
  expect(history.map(({ cause }) => cause)).toContain('postponed');
  expect(ofLong).toMatchObject({ eventStatus: 4, attemptNumber: 1, priority: 0 });
  const caption = await captionOf(client, clipID);
  const starts = Array.from({ length: longSeconds }, (_, at) => at * 1_000);
  expect(caption.segments.map(({ startMs }) => startMs)).toEqual(starts);
  expect(await versions(clipID)).toHaveLength(1);
  expect(await parts()).toBe(0);
});

test('two long clips and a backlog: a new short clip comes before their ends, and all are captioned once', async () => {
  engines.eachSecond = () => sleep(20);
  const old = await addRecorder(client, false);
  for (let count = 0; count < 3; count++) await old.add(tinyWav(4));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  engines.before = () => begin();
  const clipIDs = [await recorder.add(tinyWav(8)), await recorder.add(tinyWav(9))];
  await client.captionAudio({ params: old, body: {} });
  await begun;
  const shortID = await recorder.add(tinyWav(1.5));
  await captionOf(client, shortID);
  const isDone = await Promise.all(clipIDs.map(async (key) => (await findCaption(client, key))?.version));
  expect(isDone).toContain(undefined);
  await endedEvents(client, recorder.deviceID);
  await endedEvents(client, old.deviceID);
  for (const key of clipIDs) expect(await versions(key)).toHaveLength(1);
  const [count] = await server.db<{ count: number }[]>`select count(*) as count from caption_versions`;
  expect(count?.count).toBe(6);
  expect(await parts()).toBe(0);
});

test('captions do not wait for labels; a crash between the two labels later, once', async () => {
  engines.labelled = [{ name: 'dog', confidence: 90, startMs: 0, endMs: 900 }];
  let failures = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  engines.beforeLabels = async () => {
    await released;
    if (failures++ === 0) throw new ListeningFailed('the process is gone');
  };
  const clipID = await recorder.add(tinyWav(1));
  expect(await captionOf(client, clipID)).toMatchObject({ transcript: 'one', version: 1 });
  const tags = () => client.listAudioClipTags({ params: { audioClipID: clipID } });
  expect(await tags()).toEqual([]);
  expect(await eventsOf(client, recorder.deviceID)).toMatchObject([{ eventStatus: 3 }]);
  release();
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 4, attemptNumber: 2 });
  expect(await tags()).toMatchObject([{ tagName: 'dog' }]);
  expect(await versions(clipID)).toHaveLength(1);
  expect(engines.heard).toHaveLength(1);
  expect(await server.db`select 1 from label_orders`).toHaveLength(0);
});
