import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../../event/tests/fleet.ts';
import { tinyWav } from '../../../file/tests/sound.ts';

let client: Client;
beforeAll(async () => {
  const server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
});

const nowMs = () => Date.now() - 60_000;
const report = (deviceSerial: string, latitude: number, datetime: number) =>
  client.createDeviceHealth({
    body: {
      deviceSerial,
      healthJSON: JSON.stringify({ gps: { latitude, longitude: 8, accuracy: 3 }, time: { datetime } }),
    },
  });
const positionOf = (deviceID: number) => client.getDevicePosition({ params: { deviceID } });
const put = (deviceID: number, body: { latitude: number | null; longitude: number | null; accuracy?: number }) =>
  client.setDevicePosition({ params: { deviceID }, body });

test('a device has no position until one is set by hand', async () => {
  const { deviceID } = await addDevice(client);
  expect(await positionOf(deviceID)).toEqual({ deviceID });
  const set = await put(deviceID, { latitude: 47.5, longitude: -8.25, accuracy: 10 });
  expect(set).toEqual({
    deviceID,
    latitude: 47.5,
    longitude: -8.25,
    accuracy: 10,
    source: 'hand',
    positionDate: expect.any(String) as string,
  });
  expect(await positionOf(deviceID)).toEqual(set);
  const moved = await put(deviceID, { latitude: 1, longitude: 2 });
  expect(moved).not.toHaveProperty('accuracy');
});

test('a health report sets the position, and an older report does not change it', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const time = nowMs();
  await report(deviceSerial, 40, time);
  const first = await positionOf(deviceID);
  const positionDate = new Date(time).toISOString();
  expect(first).toEqual({ deviceID, latitude: 40, longitude: 8, accuracy: 3, source: 'health', positionDate });
  await report(deviceSerial, 41, time - 1);
  expect(await positionOf(deviceID)).toEqual(first);
  await report(deviceSerial, 42, time + 1);
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 42 });
  await client.createDeviceHealth({ body: { deviceSerial, healthJSON: '{"latitude":95,"longitude":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 42 });
});

test('updatelatest and PUT of a report set the position too', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await client.updateLatestDeviceHealth({ body: { deviceSerial, healthJSON: '{"lat":11,"lon":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 11 });
  const { key: deviceHealthID = 0 } = await client.getLatestDeviceHealth({ params: { deviceID } });
  await client.updateDeviceHealth({ params: { deviceHealthID }, body: { healthJSON: '{"lat":12,"lon":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 12 });
});

test('a position set by hand stays, until it is removed', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await put(deviceID, { latitude: 1, longitude: 2 });
  await report(deviceSerial, 40, Date.now() + 60_000);
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 1, source: 'hand' });
  expect(await put(deviceID, { latitude: null, longitude: null })).toEqual({ deviceID });
  await report(deviceSerial, 40, nowMs());
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 40, source: 'health' });
});

test('half a position and degrees out of range are refused', async () => {
  const { deviceID } = await addDevice(client);
  await expect(put(deviceID, { latitude: null, longitude: 2 })).rejects.toEqual(refusedWith(400, /latitude/));
  await expect(put(deviceID, { latitude: 90.1, longitude: 2 })).rejects.toEqual(refusedWith(400, /latitude/));
  await expect(put(deviceID, { latitude: 9, longitude: -180.5 })).rejects.toEqual(refusedWith(400, /longitude/));
});

/** A WAV file with GUANO metadata after the sound, as AudioMoth writes it. */
function withGuano(wav: Uint8Array, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(lines.join('\n'));
  const padded = Buffer.concat([text, Buffer.alloc(text.length % 2)]);
  const head = Buffer.alloc(8);
  head.write('guan', 0, 'latin1');
  head.writeUInt32LE(text.length, 4);
  return new Uint8Array(Buffer.concat([wav, head, padded]));
}

const guano = (position: string) => ['GUANO|Version: 1.0', 'Make: Open Acoustic Devices', `Loc Position: ${position}`];

const putRecording = async (deviceSerial: string, startTime: number, sound: Uint8Array<ArrayBuffer>) => {
  const clip = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body: { startTime } });
  await client.putAudioClipContent({ params: { audioClipID: clip.key ?? 0 }, body: sound });
};

test('the metadata of a recording sets the position, unless a newer one or a person did', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await putRecording(deviceSerial, 1_790_000_000, withGuano(tinyWav(), guano('47.3769 -8.5417')));
  expect(await positionOf(deviceID)).toMatchObject({
    latitude: 47.3769,
    longitude: -8.5417,
    source: 'file',
    positionDate: new Date(1_790_000_000_000).toISOString(),
  });
  await putRecording(deviceSerial, 1_780_000_000, withGuano(tinyWav(), guano('1 2')));
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 47.3769 });
  await put(deviceID, { latitude: 5, longitude: 6 });
  await putRecording(deviceSerial, 1_790_000_100, withGuano(tinyWav(), guano('1 2')));
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 5, source: 'hand' });
});

test.each(['91 0', '0 181', 'north', '', '1', '1e1 2', '1 2 3'])(
  'a position of %j in a file is ignored',
  async (text) => {
    const { deviceID, deviceSerial } = await addDevice(client);
    await putRecording(deviceSerial, 1_790_000_000, withGuano(tinyWav(), guano(text)));
    expect(await positionOf(deviceID)).toEqual({ deviceID });
  },
);
