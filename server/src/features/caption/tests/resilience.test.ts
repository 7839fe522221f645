import type { Client } from '@earshot/client/client';
import { EngineUnavailable } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, captionOf, endedEvents, eventsOf, eventually } from './captioning.ts';
import type { TestEars } from './test-engines.ts';
import { createTestEars } from './test-engines.ts';

let engines: TestEars;
let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeEach(() => {
  engines = createTestEars();
});
afterEach(() => server.stop());

async function begin(): Promise<void> {
  server = await startTestServer({ eventTimes: { leaseSeconds: 300, retrySeconds: 1 } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
  recorder = await addRecorder(client);
}

const captionLines = () => server.log.lines.filter(({ message }) => message.startsWith('captions'));

test('while the engine is unavailable captions wait and everything else works; then they continue', async () => {
  let isBroken = true;
  engines.prepare = () => {
    if (isBroken) throw new EngineUnavailable('the model is missing', { retryAfterMs: 100 });
  };
  await begin();
  const clipID = await recorder.add(tinyWav(1));
  const stranger = await server.addPerson();
  await eventually(async () =>
    expect(await client.getCaptionProgress()).toMatchObject({
      waitingCount: 1,
      workingCount: 0,
      state: 'unavailable',
      // The reason names folders and servers, so only an admin may read it.
      reason: 'The engine is temporarily unavailable; an admin can see the reason.',
      engineName: 'counter',
      engineVersion: '1',
    }),
  );
  expect(await server.admin.session.getCaptionProgress()).toMatchObject({ reason: 'the model is missing' });
  expect(await stranger.session.getCaptionProgress()).toMatchObject({ waitingCount: 0, oldestWaitingSeconds: 0 });
  await eventually(async () => {
    const metrics = await (await fetch(new URL('/metrics', server.url))).text();
    expect(metrics).toMatch(/^earshot_captions_waiting 1$/m);
    expect(metrics).toMatch(/^earshot_captions_lag_seconds \d+$/m);
  });
  expect(await eventsOf(client, recorder.deviceID)).toMatchObject([{ eventStatus: 1, attemptNumber: 0 }]);
  isBroken = false;
  expect(await captionOf(client, clipID)).toMatchObject({ transcript: 'one' });
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 4, attemptNumber: 1 });
  await eventually(async () =>
    expect(await client.getCaptionProgress()).toMatchObject({ waitingCount: 0, state: 'ready', failedCount: 0 }),
  );
});

test('an engine that becomes unavailable uses no attempt, and one log line', async () => {
  let refusals = 0;
  engines.before = () => {
    if (refusals++ < 4) throw new EngineUnavailable('the server refuses its key', { retryAfterMs: 50 });
  };
  await begin();
  const clipID = await recorder.add(tinyWav(1));
  expect(await captionOf(client, clipID)).toMatchObject({ transcript: 'one' });
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 4, attemptNumber: 1 });
  const history = await client.listEventHistory({ params: { eventID: event?.key ?? 0 } });
  expect(history.filter(({ cause }) => cause === 'postponed')).toHaveLength(4);
  expect(captionLines().map(({ message }) => message)).toEqual([
    'captions are waiting: the server refuses its key',
    'captions continue',
  ]);
});

test('an event that is repeated after its caption was written writes no second version', async () => {
  await begin();
  const clipID = await recorder.add(tinyWav(1));
  await captionOf(client, clipID);
  await endedEvents(client, recorder.deviceID);
  await client.captionAudio({ params: recorder, body: { again: true, audioClips: [clipID] } });
  await endedEvents(client, recorder.deviceID);
  const versions = () => client.listCaptionVersions({ params: { captionID: clipID } });
  expect(await versions()).toHaveLength(2);
  // As if the process had died before it could report.
  await server.db`update events set event_status = 1, attempt_number = 0, result = null`;
  const events = await endedEvents(client, recorder.deviceID);
  expect(events.map(({ result }) => result)).toEqual(
    events.map(() => '{"captioned":0,"reason":"The clip was captioned."}'),
  );
  expect(await versions()).toHaveLength(2);
  expect(engines.heard).toHaveLength(2);
});

test('a clip that is removed while it is being captioned gets no caption', async () => {
  await begin();
  const clipID = await recorder.announce();
  engines.before = () => client.deleteAudioClip({ params: { audioClipID: clipID } });
  await recorder.put(clipID, tinyWav(1));
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventStatus: 4, result: '{"captioned":0,"reason":"The clip was removed."}' });
  const [rows] = await server.db<{ left: number }[]>`select count(*) as left from caption_versions`;
  expect(rows?.left).toBe(0);
});

test('an event whose sound is missing in storage fails with the reason', async () => {
  await begin();
  engines.prepare = () => {};
  const clipID = await recorder.announce();
  await server.db`update devices set auto_caption = false`;
  await recorder.put(clipID, tinyWav(1));
  await server.db`update files set storage_name = gen_random_uuid()`;
  await client.captionAudio({ params: recorder, body: { audioClips: [clipID] } });
  const [event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({
    eventStatus: 5,
    attemptNumber: 3,
    result: 'The sound of the clip is missing in storage.',
  });
  expect(await client.getCaptionProgress()).toMatchObject({ failedCount: 1 });
});
