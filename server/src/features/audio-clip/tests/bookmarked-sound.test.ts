import { readFile } from 'node:fs/promises';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addCollection, place, statusOf } from '../../../../../tests/access/places.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { splitStatements } from '../../../platform/database/sql-statements.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { addFile, announce, readClip } from './recordings.ts';

/* Files of sound in collections. What somebody placed who neither owns the file nor is an admin is a bookmark. */

let server: TestServer;
let owner: Person;
let reader: Person;
let writer: Person;
let device: Device;
let audioClipID: number;
let fileID: number;

beforeAll(async () => {
  server = await startTestServer({ fileSweepSeconds: 0.1 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  [owner, reader, writer] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
  device = await addDevice(owner.session, { autoCaption: false });
  for (const [access, member] of [
    ['read', reader],
    ['write', writer],
  ] as const) {
    const collectionID = await addCollection(owner, { access, members: [member] });
    await place(owner, collectionID, 'device', device.deviceID);
  }
  const clip = await announce(owner.session, device, { startTime: 1_794_700_000 });
  audioClipID = clip.key;
  await putSound(1);
  fileID = (await readClip(owner.session, clip)).fileID ?? 0;
});

const putSound = (seconds: number) =>
  owner.session.putAudioClipContent({ params: { audioClipID }, body: tinyWav(seconds) });
const fileStatus = (person: Person) => statusOf(person.session.getFile({ params: { fileID } }));
const statuses = () => Promise.all([owner, reader, writer].map(fileStatus));
const versions = () => owner.session.listAudioClipVersions({ params: { audioClipID } });
const addTo = async (person: Person) => place(person, await addCollection(person), 'file', fileID);

test('former sound stays hidden from people who bookmarked it', async () => {
  await addTo(reader);
  await addTo(writer);
  expect(await statuses()).toEqual([200, 200, 200]);
  await putSound(2);
  expect(await statuses()).toEqual([200, 404, 404]);
});

test.each([
  ['its owner', () => owner],
  ['an admin', () => server.admin],
])('former sound in a collection of %s stays visible, and only its owner and admins delete it', async (_who, by) => {
  await addTo(by());
  await putSound(2);
  expect(await statuses()).toEqual([200, 200, 200]);
  const erase = (person: Person) => person.session.deleteFile({ params: { fileID } });
  await expect(erase(reader)).rejects.toEqual(refusedWith(403));
  await expect(erase(writer)).rejects.toEqual(refusedWith(403, /Only the owner of this device or an admin/));
  expect(await versions()).toHaveLength(1);
  await erase(by());
  expect(await versions()).toEqual([]);
});

test('somebody who brought other sound from a file of their own does not delete it as former sound', async () => {
  const { session } = writer;
  fileID = (await addFile(session, { seconds: 3 })).key;
  await session.patchAudioClip({ params: { audioClipID }, body: [{ fieldName: 'fileID', value: fileID }] });
  await putSound(2);
  await expect(session.deleteFile({ params: { fileID } })).rejects.toEqual(refusedWith(403));
  expect(await versions()).toHaveLength(2);
});

test('the upgrade hides former sound that a bookmark has kept visible, and no other', async () => {
  await addTo(reader);
  await putSound(2);
  const migration = new URL('../../../../migrations/0068_bookmarks_and_acts_of_rules.sql', import.meta.url);
  const upgrade = async () => {
    await server.db`update files set is_former = false where key = ${fileID}`;
    const statements = splitStatements(await readFile(migration, 'utf8'));
    await server.db.unsafe(statements.find((statement) => statement.includes('update files')) ?? '');
  };
  await upgrade();
  expect(await statuses()).toEqual([200, 404, 404]);
  await addTo(owner);
  await upgrade();
  expect(await statuses()).toEqual([200, 200, 200]);
});

test('a file of the device that only bookmarks hold is removed with them', async () => {
  const [bookmarked, kept] = [await addFile(owner.session, { device }), await addFile(owner.session, { device })];
  const collectionID = await addCollection(writer);
  for (const { key } of [bookmarked, kept]) await place(writer, collectionID, 'file', key);
  await place(owner, await addCollection(owner), 'file', kept.key);
  await server.db`update files set sweep_date = now() where key in (${bookmarked.key}, ${kept.key})`;
  const checked = () =>
    server.db`select key from files where key in (${bookmarked.key}, ${kept.key}) and sweep_date > now()`;
  await vi.waitFor(async () => expect(await checked()).toEqual([{ key: kept.key }]));
  expect(await server.db`select 1 from files where key = ${bookmarked.key}`).toEqual([]);
  const items = await writer.session.listItemsOfCollection({ params: { collectionID } });
  expect(items.map(({ itemID }) => itemID)).toEqual([kept.key]);
});

test('the preview of retention counts sound that only bookmarks hold', async () => {
  const preview = () =>
    owner.session.previewRetention({ params: { deviceID: device.deviceID }, query: { retentionDays: 1 } });
  await owner.session.updateAudioClip({
    params: { audioClipID },
    body: { startTime: Math.floor(Date.now() / 1000) - 200_000 },
  });
  await addTo(reader);
  expect(await preview()).toMatchObject({ expiringFileCount: 1 });
  await addTo(owner);
  expect(await preview()).toMatchObject({ expiringFileCount: 0 });
});
