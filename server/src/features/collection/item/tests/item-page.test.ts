import { randomUUID } from 'node:crypto';
import type { CollectionItemPageFilter, CollectionItemRow } from '@earshot/contract/collection-page';
import { itemSorts } from '@earshot/contract/collection-page';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../../file/tests/sound.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function addCollection({ session }: Person): Promise<number> {
  const { key = 0 } = await session.createCollection({ body: { collectionName: `c ${randomUUID()}` } });
  return key;
}

const page = ({ session }: Person, collectionID: number, body: CollectionItemPageFilter = {}) =>
  session.listCollectionItemPage({ params: { collectionID }, body });

const add = ({ session }: Person, collectionID: number, itemType: 'device' | 'user' | 'file', itemIDs: number[]) =>
  session.addCollectionItems({ params: { collectionID }, body: { itemType, itemIDs } });

/** A clip with sound, whose file has a title. */
async function addTitledFile({ session }: Person, title: string) {
  const { deviceSerial } = await addDevice(session, { deviceName: 'Roof', autoCaption: false });
  const bytes = tinyWav(1);
  const body = { deviceSerial, filename: 'a.wav', fileSize: bytes.length, sHA256Hash: sha256(bytes) };
  const { key: fileID = 0, signedURL = '' } = await session.createFile({ body });
  await fetch(signedURL, { method: 'PUT', body: bytes });
  await session.finishFile({ params: { fileID } });
  const [clip] = await session.announceAudioClips({
    params: { deviceSerial },
    body: [{ startTime: 1_790_000_000, clipLengthInSeconds: 1, audioClipStatus: 3, fileID }],
  });
  const audioClipID = clip?.key ?? 0;
  await server.db`
    insert into clip_recordings (audio_clip_id, device_id, title) select key, device_id, ${title} from audio_clips
    where key = ${audioClipID} on conflict (audio_clip_id) do update set title = excluded.title`;
  return { fileID, audioClipID };
}

test('items have names: of the device, of the person, and the title of the recording', async () => {
  const owner = await server.addPerson();
  const other = await server.addPerson();
  const collectionID = await addCollection(owner);
  const { deviceID, deviceSerial } = await addDevice(owner.session, { deviceName: 'North gate' });
  const { fileID, audioClipID } = await addTitledFile(owner, 'A ferry in fog');
  await add(owner, collectionID, 'device', [deviceID]);
  await add(owner, collectionID, 'user', [other.userID]);
  await add(owner, collectionID, 'file', [fileID]);

  const { results, total, isExact } = await page(owner, collectionID);
  expect({ total, isExact }).toEqual({ total: 3, isExact: true });
  const byType = (type: string) => results.find(({ itemType }) => itemType === type);
  expect(byType('device')).toMatchObject({
    itemID: deviceID,
    itemName: 'North gate',
    deviceSerial,
    state: 'neverHeard',
  });
  expect(byType('user')).toMatchObject({ itemID: other.userID, itemName: other.email, email: other.email });
  expect(byType('file')).toMatchObject({ itemID: fileID, itemName: 'A ferry in fog', audioClipID, deviceName: 'Roof' });
  expect(results.every(({ mayRemove }) => mayRemove)).toBe(true);

  // A reader sees the file by the name of the file: the title belongs to a clip that was not shared.
  const seen = await page(other, collectionID);
  const file = seen.results.find(({ itemType }) => itemType === 'file');
  expect(file).toMatchObject({ itemName: 'a.wav', mayRemove: false });
  expect(file).not.toHaveProperty('audioClipID');
  expect((await page(owner, collectionID, { searchText: 'FERRY' })).results).toMatchObject([{ itemID: fileID }]);
  expect((await page(owner, collectionID, { itemType: 'user' })).total).toBe(1);
  const counts = await other.session.listCollectionCounts();
  expect(counts).toMatchObject([{ key: collectionID, deviceCount: 1, personCount: 1, fileCount: 1 }]);
});

test('many are added at once; what may not be read is named, and adding again changes nothing', async () => {
  const [owner, stranger] = [await server.addPerson(), await server.addPerson()];
  const collectionID = await addCollection(owner);
  const own: number[] = [];
  for (let at = 0; at < 5; at += 1) own.push((await addDevice(owner.session)).deviceID);
  const theirs = (await addDevice(stranger.session)).deviceID;
  const unknown = 9_007_199_254_740_991;
  expect(await add(owner, collectionID, 'device', [...own, theirs, unknown, own[0]!])).toEqual({
    addedCount: 5,
    unknownIDs: [theirs, unknown],
  });
  expect(await add(owner, collectionID, 'device', own)).toEqual({ addedCount: 0, unknownIDs: [] });
  expect((await page(owner, collectionID)).total).toBe(5);
  await expect(add(stranger, collectionID, 'device', [theirs])).rejects.toEqual(refusedWith(404));
  await add(owner, collectionID, 'user', [stranger.userID]);
  await expect(add(stranger, collectionID, 'device', [theirs])).rejects.toEqual(refusedWith(403));
  const { results } = await page(stranger, collectionID, { itemType: 'device' });
  expect(results.map(({ itemID }) => itemID).toSorted((a, b) => a - b)).toEqual(own);
});

test('every order gives every item once, in pages of any size', async () => {
  const owner = await server.addPerson();
  const collectionID = await addCollection(owner);
  const devices: number[] = [];
  for (let at = 0; at < 20; at += 1)
    devices.push((await addDevice(owner.session, { deviceName: `${'aB'[at % 2]}${at % 5}` })).deviceID);
  await add(owner, collectionID, 'device', devices);
  const nameOf = ({ itemName }: CollectionItemRow) => itemName.toLowerCase();
  for (const sortBy of itemSorts) {
    for (const order of ['asc', 'desc'] as const) {
      const rows: CollectionItemRow[] = [];
      let cursor: string | undefined;
      do {
        const given = { sortBy, order, count: 6, ...(cursor === undefined ? {} : { cursor }) };
        const answer = await page(owner, collectionID, given);
        rows.push(...answer.results);
        cursor = answer.next;
      } while (cursor !== undefined);
      expect(new Set(rows.map(({ itemID }) => itemID)), `${sortBy} ${order}`).toEqual(new Set(devices));
      expect(rows).toHaveLength(devices.length);
      if (sortBy === 'creationDate') continue;
      const names = rows.map(nameOf);
      const sorted = names.toSorted();
      expect(names).toEqual(order === 'asc' ? sorted : sorted.toReversed());
    }
  }
});
