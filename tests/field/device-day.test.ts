import { randomUUID } from 'node:crypto';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { liveDay } from './device-day.ts';

test.each([
  ['a device key that can read', false],
  ['a write-only device key', true],
])('a device lives its whole day with %s', async (_name, isWriteOnly) => {
  const server = await sharedTestServer();
  const owner = await server.addPerson();
  const serial = `day-${randomUUID()}`;
  const { key: deviceID = 0 } = await owner.session.createDevice({ body: { deviceSerial: serial } });
  const { client, credential } = await owner.withKey();
  const body = { settingName: 'gain', settingValue: '12' };
  await client.putDeviceSetting({ params: { deviceID }, body });
  const deviceKey = (await owner.withKey({ deviceID, isWriteOnly })).credential;
  expect(deviceKey.accessKey).not.toBe(credential.accessKey);

  const sound = tinyWav(1);
  const startTime = 1_790_000_000;
  const day = await liveDay(
    { url: server.url, accessKey: deviceKey.accessKey, secretKey: deviceKey.secretKey },
    {
      deviceID,
      serial,
      sound,
      startTime,
      onIdle: async () => {
        const [clip] = await client.listAudioClips({ body: { deviceID } });
        await client.requestUpload({ body: { deviceID, audioClips: [clip?.key ?? 0] } });
      },
    },
  );

  expect(day.version).toHaveProperty('Version');
  expect(day.ready).toMatchObject({ key: deviceID, serialNumber: serial });
  expect(day.wanted).toMatchObject({ settingName: 'gain', settingValue: '12' });
  expect(day.agent).toMatchObject({ agentIndex: 1, processID: 4321 });
  expect(day.clip).toMatchObject({ clipLengthInSeconds: 10, audioClipStatus: 1 });
  expect(day.pending).toMatchObject({ key: day.event['key'], eventType: 'Upload_audio_clips' });
  expect(day.event).toMatchObject({ agentID: day.agent['key'], eventStatus: 2 });

  const audioClipID = Number(day.clip['key']);
  const clip = await client.getAudioClip({ params: { audioClipID } });
  expect(clip).toMatchObject({ audioClipStatus: 3, fileID: day.file['fileID'], clipLengthInSeconds: 10 });
  const content = await client.getAudioClipContent({ params: { audioClipID } });
  expect(new Uint8Array(await content.arrayBuffer())).toEqual(sound);
  expect(await client.getEvent({ params: { eventID: Number(day.event['key']) } })).toMatchObject({
    eventStatus: 4,
    result: 'done',
    processID: 9_001,
    percentComplete: 100,
  });
  expect(await client.listAgents({ body: { deviceID } })).toMatchObject([{ agentIndex: 1, recentOutput: 'idle' }]);
  const settings = await client.listDeviceSettings({ params: { deviceID } });
  expect(settings).toMatchObject([{ settingName: 'gain', wantedValue: '12', reportedValue: '9' }]);
  const [line] = await client.listLogMessages({ body: { deviceID } });
  expect(line).toMatchObject({ level: 'error', message: 'ERROR: the network is slow', agentIndex: 1 });
  const reports = await client.listDeviceHealth({ body: { deviceID } });
  expect(reports).toHaveLength(1);
  const strangers = client.getDevice({ params: { deviceID: 987_654_321 } });
  await expect(strangers).rejects.toMatchObject({ status: 404 });
});
