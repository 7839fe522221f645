import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { addFile, announce, readClip } from './recordings.ts';

let server: TestServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await startTestServer();
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const remove = ({ key }: { key: number }) => client.deleteAudioClip({ params: { audioClipID: key } });
const fileStatus = ({ key }: { key: number }) =>
  client.getFile({ params: { fileID: key } }).then(
    () => 'there',
    ({ status }: { status: number }) => status,
  );

test('removing a clip removes its tags, its caption and its file', async () => {
  const file = await addFile(client, { device });
  const clip = await announce(client, device, { startTime: 1, fileID: file.key, audioClipStatus: 3 });
  const kept = await announce(client, device, { startTime: 2 });
  for (const { key } of [clip, kept]) {
    await client.createAudioClipTag({ params: { audioClipID: key }, body: { tagName: 'dog' } });
    await server.db`
      insert into captions (audio_clip_id, device_id, transcript) values (${key}, ${device.deviceID}, 'who is there')`;
  }
  await remove(clip);
  await expect(readClip(client, clip)).rejects.toEqual(refusedWith(404));
  expect(await fileStatus(file)).toBe(404);
  const left = await server.db`
    select c.key, t.audio_clip_id as tagged, s.audio_clip_id as captioned
    from audio_clips c full join audio_clip_tags t on t.audio_clip_id = c.key full join captions s on s.audio_clip_id = c.key
    where coalesce(c.device_id, t.device_id, s.device_id) = ${device.deviceID}`;
  expect(left).toEqual([{ key: kept.key, tagged: kept.key, captioned: kept.key }]);
  await expect(remove(clip)).rejects.toEqual(refusedWith(404));
});

test('its file is kept while another clip or a collection uses it', async () => {
  const [shared, collected] = [await addFile(client, { device }), await addFile(client, { device })];
  const clips = await Promise.all([
    announce(client, device, { startTime: 1, fileID: shared.key }),
    announce(client, device, { startTime: 2, fileID: shared.key }),
    announce(client, device, { startTime: 3, fileID: collected.key }),
  ]);
  const { key = 0 } = await client.createCollection({ body: { collectionName: 'Dawn' } });
  const body = { itemType: 'file', itemID: collected.key } as const;
  await client.addCollectionItem({ params: { collectionItemID: key }, body });
  await remove(clips[0]);
  await remove(clips[2]);
  expect([await fileStatus(shared), await fileStatus(collected)]).toEqual(['there', 'there']);
  await remove(clips[1]);
  expect([await fileStatus(shared), await fileStatus(collected)]).toEqual([404, 'there']);
});

test('when all clips of a file are removed at the same time, the file is removed', async () => {
  for (let round = 0; round < 5; round++) {
    const file = await addFile(client, { device });
    const clips = await Promise.all(
      [1, 2, 3].map((startTime) => announce(client, device, { startTime, fileID: file.key })),
    );
    await Promise.all(clips.map(remove));
    expect(await fileStatus(file)).toBe(404);
  }
});

test('removing a device removes its clips and files', async () => {
  const file = await addFile(client, { device });
  const clip = await announce(client, device, { startTime: 1, fileID: file.key, audioClipStatus: 3 });
  await client.deleteDevice({ params: { deviceID: device.deviceID } });
  await expect(readClip(client, clip)).rejects.toEqual(refusedWith(404));
  expect(await fileStatus(file)).toBe(404);
});
