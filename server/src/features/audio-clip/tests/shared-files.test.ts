import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { announce, readClip } from './recordings.ts';

/* A file that is the sound of two clips. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ fileSweepSeconds: 0.1 });
});
afterAll(() => server.stop());

/** Two clips with the same file. */
async function shareFile() {
  const { session: owner } = await server.addPerson();
  const device = await addDevice(owner, { autoCaption: false });
  const clip = await announce(owner, device, { startTime: 1_794_700_000 });
  const put = (audioClipID: number, seconds: number) =>
    owner.putAudioClipContent({ params: { audioClipID }, body: tinyWav(seconds) });
  await put(clip.key, 1);
  const { fileID = 0 } = await readClip(owner, clip);
  const other = await announce(owner, device, { startTime: 1_794_700_009, fileID });
  const fileStatus = (client = owner) => statusOf(client.getFile({ params: { fileID } }));
  return { owner, device, clip, other, fileID, put, fileStatus };
}

test('it stays readable while one of them uses it, and is hidden when that clip is removed', async () => {
  const { owner, device, clip, other, put, fileStatus } = await shareFile();
  const reader = await server.addPerson();
  const { key = 0 } = await owner.createCollection({ body: { collectionName: 'Quay', memberAccess: 'read' } });
  const params = { collectionItemID: key };
  await owner.addCollectionItem({ params, body: { itemType: 'device', itemID: device.deviceID } });
  await owner.addCollectionItem({ params, body: { itemType: 'user', itemID: reader.userID } });
  await put(clip.key, 2);
  expect(await fileStatus(reader.session)).toBe(200);
  await owner.deleteAudioClip({ params: { audioClipID: other.key } });
  expect([await fileStatus(reader.session), await fileStatus()]).toEqual([404, 200]);
});

test('as former sound of both it is not deleted while one of them is locked', async () => {
  const { owner, clip, other, fileID, put, fileStatus } = await shareFile();
  for (const { key } of [clip, other]) await put(key, 2);
  await owner.lockAudioClip({ params: { audioClipID: other.key } });
  const erase = () => owner.deleteFile({ params: { fileID } });
  await expect(erase()).rejects.toEqual(refusedWith(409, /Unlock it first/));
  expect(await owner.listAudioClipVersions({ params: { audioClipID: clip.key } })).toHaveLength(1);
  await owner.unlockAudioClip({ params: { audioClipID: other.key } });
  await erase();
  expect(await fileStatus()).toBe(404);
});
