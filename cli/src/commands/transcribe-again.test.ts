import { uploadRecording } from '@earshot/client/upload';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWav } from '../testing/make-wav.ts';
import { signedIn } from '../testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const firstSecond = 1_794_704_400;

/** A device with three recordings of two seconds, one a day, and a clip without sound. */
async function addDevice(deviceSerial: string): Promise<{ deviceID: number; clips: readonly number[] }> {
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial } });
  const { credential } = await server.admin.withKey({ deviceID });
  const clips: number[] = [];
  for (const day of [0, 1, 2]) {
    const startDate = new Date((firstSecond + day * 86_400) * 1000).toISOString();
    const metadata = { deviceID: String(deviceID), startDate, filename: `${day}.wav` };
    clips.push(
      await uploadRecording(
        { url: server.url, credential },
        { sound: new Blob([new Uint8Array(makeWav(2, day))]), metadata },
      ),
    );
  }
  await session.createAudioClip({ body: { deviceID, startTime: firstSecond + 10, endTime: firstSecond + 12 } });
  return { deviceID, clips };
}

/** The clips of each request for captions of people. */
async function listOrders(deviceID: number) {
  const rows = await server.db<{ parameters: string }[]>`
    select event_parameters as parameters from events
    where device_id = ${deviceID} and event_parameters like '%"again":true%' order by key`;
  return rows.map(({ parameters }) => JSON.parse(parameters) as { audioClips: number[]; engine?: string });
}

test('without --start the amount is told and nothing is requested', async () => {
  const cli = await signedIn(server);
  const { deviceID } = await addDevice('estimate');
  const told = await cli.run(['transcribe-again', 'estimate']);
  expect(told).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was changed. Add --start') });
  expect(told.out.trim()).toBe('estimate: 3 recordings, 0:06 of sound; processor time about: fast 0:01, accurate 0:03');
  expect(await listOrders(deviceID)).toEqual([]);
});

test('with --start exactly the recordings of the range are requested once more', async () => {
  const cli = await signedIn(server);
  const { deviceID, clips } = await addDevice('again');
  const range = ['--since', new Date((firstSecond + 86_400) * 1000).toISOString().slice(0, 16) + 'Z'];
  const started = await cli.run(['transcribe-again', 'again', ...range, '--start', '--json']);
  expect(started.records()).toEqual([{ deviceID, clips: 2, seconds: 4, isStarted: true }]);
  const [order, ...others] = await listOrders(deviceID);
  expect([order?.audioClips.toSorted(), others]).toEqual([clips.slice(1), []]);
});

test('a range without sound, and an engine that does not exist', async () => {
  const cli = await signedIn(server);
  const { deviceID } = await addDevice('nothing');
  const none = await cli.run(['transcribe-again', 'nothing', '--since', '1h', '--start']);
  expect(none.err).toContain('There is no sound to transcribe.');
  const refused = await cli.run(['transcribe-again', 'nothing', '--engine', 'best', '--start']);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('engine');
  expect(await listOrders(deviceID)).toEqual([]);
});
