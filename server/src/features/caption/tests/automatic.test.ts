import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addFile } from '../../audio-clip/tests/recordings.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { openStream } from '../../live/tests/stream.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, captionOf, endedEvents, eventsOf, start } from './captioning.ts';
import { createTestEars } from './test-engines.ts';

// Every clip that becomes available is captioned once, however its sound was uploaded.

const engines = createTestEars();
let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer({ eventTimes: { leaseSeconds: 300, retrySeconds: 1 } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  engines.heard.length = 0;
  engines.labelled = [];
  engines.before = () => {};
  recorder = await addRecorder(client);
});

const device = () => ({ ...recorder, key: recorder.deviceID });
const transcriptOf = async (clipID: number) => (await captionOf(client, clipID)).transcript;

test('sound that is uploaded in one request, announced with its file, or attached later is captioned by one event each', async () => {
  const put = await recorder.add(tinyWav(1), 0);

  const two = await addFile(client, { device: device(), seconds: 2 });
  const announced = { startTime: start + 100, audioClipStatus: 3, fileID: two.key };
  const body = [announced, { startTime: start + 200 }];
  const [listed] = await client.announceAudioClips({ params: { deviceSerial: recorder.deviceSerial }, body });

  const three = await addFile(client, { device: device(), seconds: 3 });
  const created = await client.createAudioClip({
    body: { deviceID: recorder.deviceID, startTime: start + 300, audioClipStatus: 3, fileID: three.key },
  });

  const changed = await recorder.announce(400);
  const four = await addFile(client, { device: device(), seconds: 4 });
  await client.updateAudioClip({ params: { audioClipID: changed }, body: { fileID: four.key, audioClipStatus: 3 } });

  const patched = await recorder.announce(500);
  const five = await addFile(client, { device: device(), seconds: 5 });
  await client.patchAudioClip({
    params: { audioClipID: patched },
    body: [
      { fieldName: 'fileID', value: five.key },
      { fieldName: 'audioClipStatus', value: 3 },
    ],
  });

  const keys = [put, listed?.key ?? 0, created.key ?? 0, changed, patched];
  expect(await Promise.all(keys.map(transcriptOf))).toEqual([
    'one',
    'one two',
    'one two three',
    'one two three four.',
    'one two three four. five',
  ]);
  const events = await endedEvents(client, recorder.deviceID);
  expect(events).toHaveLength(keys.length);
  for (const event of events)
    expect(event).toMatchObject({ eventStatus: 4, eventType: 'Caption_audio', serverEvent: 1 });
  expect(engines.heard.toSorted((a, b) => a - b)).toEqual([10, 20, 30, 40, 50]);
});

test('changes that keep the sound enqueue nothing', async () => {
  const clipID = await recorder.add(tinyWav(1));
  await captionOf(client, clipID);
  const params = { audioClipID: clipID };
  const { fileID } = await client.getAudioClip({ params });
  await client.updateAudioClip({ params, body: { bitrate: 7 } });
  await client.updateAudioClip({ params, body: { audioClipStatus: 4 } });
  // The same file again: it is already captioned.
  await client.updateAudioClip({ params, body: { audioClipStatus: 3, fileID: fileID ?? 0 } });
  await client.announceAudioClip({
    params: { audioClipID: recorder.deviceSerial },
    body: { startTime: start, fileID: fileID ?? 0, audioClipStatus: 3 },
  });
  expect(await endedEvents(client, recorder.deviceID)).toHaveLength(1);
});

test('replaced sound is captioned again, also while the former sound is being captioned', async () => {
  const clipID = await recorder.announce();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  engines.before = async (soundMs) => {
    if (soundMs !== 1_000) return;
    begun();
    await released;
  };
  await recorder.put(clipID, tinyWav(1));
  await hasBegun;
  await recorder.put(clipID, tinyWav(2));
  // Its event is in progress, so no second one is enqueued.
  expect(await eventsOf(client, recorder.deviceID)).toHaveLength(1);
  release();
  expect(await transcriptOf(clipID)).toBe('one two');
  await endedEvents(client, recorder.deviceID);
  expect(await client.listCaptionVersions({ params: { captionID: clipID } })).toHaveLength(1);

  await recorder.put(clipID, tinyWav(3));
  const events = await endedEvents(client, recorder.deviceID);
  expect(events).toHaveLength(2);
  expect(await client.listCaptionVersions({ params: { captionID: clipID } })).toMatchObject([
    { version: 2, transcript: 'one two three', isCurrent: true },
  ]);
  const former = await client.listAudioClipVersions({ params: { audioClipID: clipID } });
  expect(former.map(({ transcript }) => transcript)).toEqual(['one two', undefined]);
});

test('the clips of a device without autoCaption are not captioned until it is switched on', async () => {
  const quiet = await addRecorder(client, false);
  await quiet.add(tinyWav(1));
  expect(await eventsOf(client, quiet.deviceID)).toEqual([]);
  await client.updateDevice({ params: { deviceID: quiet.deviceID }, body: { autoCaption: true } });
  expect(await client.getDevice({ params: { deviceID: quiet.deviceID } })).toMatchObject({ autoCaption: true });
  const clipID = await quiet.add(tinyWav(2));
  expect(await transcriptOf(clipID)).toBe('one two');
  expect(await eventsOf(client, quiet.deviceID)).toHaveLength(1);
});

test('recognised sounds become tags, at most ten with a confidence above 50, beside tags of people', async () => {
  const clipID = await recorder.announce();
  const params = { audioClipID: clipID };
  await client.createAudioClipTag({ params, body: { tagName: 'Dog' } });
  engines.labelled = [
    { name: 'dog', confidence: 99, startMs: 0, endMs: 400 },
    { name: 'unsure', confidence: 49, startMs: 0, endMs: 400 },
    { name: ' Wind ', confidence: 50, startMs: 250, endMs: 900 },
    { name: ' ', confidence: 99, startMs: 0, endMs: 900 },
    ...Array.from({ length: 12 }, (_, at) => ({ name: 'bird', confidence: 60 + at, startMs: at * 10, endMs: 900 })),
  ];
  await recorder.put(clipID, tinyWav(1));
  await captionOf(client, clipID);
  await endedEvents(client, recorder.deviceID);
  const tags = await client.listAudioClipTags({ params });
  expect(tags).toHaveLength(1 + 8);
  expect(tags.filter(({ tagName }) => tagName === 'Dog')).toMatchObject([{ confidence: 100, timestamp: start }]);
  expect(tags.filter(({ tagName }) => tagName === 'bird').map(({ timestampMs }) => timestampMs)).toEqual([
    40, 50, 60, 70, 80, 90, 100, 110,
  ]);

  // A later run replaces the tags of engines only.
  engines.labelled = [{ name: 'rain', confidence: 80, startMs: 0, endMs: 900 }];
  await client.captionAudio({ params: recorder, body: { again: true } });
  await endedEvents(client, recorder.deviceID);
  const later = await client.listAudioClipTags({ params });
  expect(new Set(later.map(({ tagName }) => tagName))).toEqual(new Set(['Dog', 'rain']));
});

test('live listeners get the caption when it is created and changed, without its segments', async () => {
  const { credential } = await server.admin.withKey();
  const stream = await openStream(server.url, { credential });
  const clipID = await recorder.add(tinyWav(2));
  const ofClip = (change: string) =>
    stream.until((one) => one.event === 'caption' && one.key === clipID && one.change === change);
  const { record, deviceID } = await ofClip('created');
  expect(deviceID).toBe(recorder.deviceID);
  expect(record).toMatchObject({ key: clipID, transcript: 'one two', version: 1, engineName: 'counter' });
  expect(record).not.toHaveProperty('segments');
  await client.correctCaption({ params: { captionID: clipID }, body: { transcript: 'won too' } });
  expect((await ofClip('changed')).record).toMatchObject({ transcript: 'won too', version: 2 });
  stream.close();
});
