import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { announceAll } from './recordings.ts';

// After network failures the same clips are sent repeatedly, also concurrently and to several nodes.

let server: TestServer;
let clients: readonly Client[];
let credential: Credential;
beforeAll(async () => {
  server = await startTestServer();
  credential = (await server.admin.withKey()).credential;
  const urls = [server.url, (await server.addNode()).url];
  clients = urls.map((url) => createClient({ url, credential }));
});
afterAll(() => server.stop());

const senders = 16;
const clips = Array.from({ length: 1000 }, (_, index) => ({ startTime: 1000 + index, audioClipTypeID: index % 3 }));
const clientAt = (index: number): Client => clients[index % clients.length]!;

async function stored(deviceID: number) {
  const [row] = await server.db<{ clips: number; changes: number }[]>`
    select (select count(*) from audio_clips where device_id = ${deviceID}) as clips,
      (select count(*) from changes where kind = 'audioclip' and change = 'created' and device_id = ${deviceID}) as changes`;
  return row;
}

test('16 senders of the same 1,000 clips create 1,000 clips, and all get the same response', async () => {
  const device = await addDevice(clientAt(0));
  const answers = await Promise.all(
    Array.from({ length: senders }, (_, index) => announceAll(clientAt(index), device, clips)),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]?.map(({ startTime }) => startTime)).toEqual(clips.map(({ startTime }) => startTime));
  expect(new Set(answers[0]?.map(({ key }) => key)).size).toBe(1000);
  expect(await stored(device.deviceID)).toEqual({ clips: 1000, changes: 1000 });
});

test('senders of the same clips in opposite orders do not deadlock', async () => {
  for (let round = 0; round < 4; round++) {
    const device = await addDevice(clientAt(0));
    const answers = await Promise.all(
      Array.from({ length: senders }, (_, index) =>
        announceAll(clientAt(index), device, index % 4 < 2 ? clips : clips.toReversed()),
      ),
    );
    const keys = new Set(answers.flat().map(({ key, startTime }) => `${startTime} ${key}`));
    expect(keys.size).toBe(1000);
    expect(await stored(device.deviceID)).toEqual({ clips: 1000, changes: 1000 });
  }
});

test('one clip that is announced concurrently is created once', async () => {
  const device = await addDevice(clientAt(0));
  const params = { audioClipID: device.deviceSerial };
  const answers = await Promise.all(
    Array.from({ length: senders }, (_, index) =>
      clientAt(index).announceAudioClip({ params, body: { startTime: 5, clipLengthInSeconds: index } }),
    ),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await stored(device.deviceID)).toEqual({ clips: 1, changes: 1 });
});

test('a clip that is removed while it is announced again exists afterwards, or the request is refused', async () => {
  const device = await addDevice(clientAt(0));
  for (let round = 0; round < 10; round++) {
    const [clip] = await announceAll(clientAt(0), device, [{ startTime: 7 }]);
    const [answered] = await Promise.all([
      announceAll(clientAt(1), device, [{ startTime: 7 }]),
      clientAt(0).deleteAudioClip({ params: { audioClipID: clip?.key ?? 0 } }),
    ]);
    expect(answered).toMatchObject([{ startTime: 7, deviceID: device.deviceID }]);
  }
});
