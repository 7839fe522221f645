import type { Client } from '@earshot/client/client';
import { ListeningFailed } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import { noCaptions, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, endedEvents, eventsOf, eventually, resultOf } from './captioning.ts';
import type { TestEars } from './test-engines.ts';
import { createTestEars } from './test-engines.ts';

let server: TestServer;
const engines: TestEars = createTestEars();
beforeAll(async () => {
  const eventTimes = { leaseSeconds: 300, retrySeconds: 1 };
  server = await startTestServer({ captions: { ...noCaptions, kind: 'moonshine' }, eventTimes }, { engines });
});
afterAll(() => server.stop());

async function addBacklog(client: Client, clips: number, seconds: number): Promise<Recorder> {
  const recorder = await addRecorder(client, false);
  for (let count = 0; count < clips; count++) await recorder.add(tinyWav(seconds));
  return recorder;
}

const ask = (client: Client, { deviceSerial }: Recorder) => client.captionAudio({ params: { deviceSerial }, body: {} });

test('a long backlog gives another owner a turn, and continues where it stopped', async () => {
  const first = (await server.admin.withKey()).client;
  const second = (await (await server.addPerson()).withKey()).client;
  const long = await addBacklog(first, 11, 1);
  const short = await addBacklog(second, 2, 2);
  const broken = await long.add(tinyWav(3), 1);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = 0;
  let failed = 0;
  engines.before = async (soundMs) => {
    begun += 1;
    await released;
    if (soundMs < 3_000) return;
    failed += 1;
    throw new ListeningFailed('the process is gone');
  };

  await ask(first, long);
  await eventually(() => expect(begun).toBe(1));
  await ask(second, short);
  release();
  const [ofShort] = await endedEvents(second, short.deviceID);
  const [ofLong] = await endedEvents(first, long.deviceID);

  expect(resultOf(ofShort ?? {})).toEqual({ captioned: 2 });
  expect(resultOf(ofLong ?? {})).toMatchObject({ captioned: 11, failedCount: 1, failed: [{ audioClipID: broken }] });
  // At most one turn of five clips ran before.
  expect(engines.heard.indexOf(20)).toBeLessThanOrEqual(5);
  expect(failed).toBe(3);
  const history = await first.listEventHistory({ params: { eventID: ofLong?.key ?? 0 } });
  expect(history.map(({ cause }) => cause)).toContain('postponed');
  expect(ofLong).toMatchObject({ attemptNumber: 1 });
  expect(await eventsOf(first, long.deviceID)).toHaveLength(1);
});
