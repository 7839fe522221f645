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
])(
  'former sound in a collection of %s is for its members, and only its owner and admins delete it',
  async (_who, by) => {
    await place(by(), await addCollection(by(), { access: 'write', members: [writer] }), 'file', fileID);
    await putSound(2);
    expect(await statuses()).toEqual([200, 404, 200]);
    const erase = (person: Person) => person.session.deleteFile({ params: { fileID } });
    await expect(erase(reader)).rejects.toEqual(refusedWith(404));
    await expect(erase(writer)).rejects.toEqual(refusedWith(403, /Only the owner of this device or an admin/));
    expect(await versions()).toHaveLength(1);
    await erase(by());
    expect(await versions()).toEqual([]);
  },
);

const takeOut = async (itemID: number) => {
  await owner.session.removeCollectionItem({ params: { collectionItemID: itemID } });
};
const giveAway = async () => {
  const other = await server.addPerson();
  const { deviceID } = device;
  await owner.session.updateDevice({ params: { deviceID }, body: { userID: other.userID } });
  await place(other, await addCollection(other, { members: [reader] }), 'device', deviceID);
};

test.each([
  ['it is taken out', takeOut],
  ['the device gets another owner', giveAway],
])('former sound in a collection is hidden from its members as soon as %s', async (_what, end) => {
  const item = await place(owner, await addCollection(owner, { members: [reader] }), 'file', fileID);
  await putSound(2);
  expect(await statuses()).toEqual([200, 200, 404]);
  await end(item.key ?? 0);
  expect(await fileStatus(reader)).toBe(404);
  expect(await statusOf(reader.session.getAudioClip({ params: { audioClipID } }))).toBe(200);
});

test('former sound that a collection keeps stays hidden from readers of its device when its version is deleted', async () => {
  await addTo(owner);
  await putSound(2);
  const [version] = await versions();
  await owner.session.deleteAudioClipVersion({ params: { audioClipID, audioClipVersionID: version?.key ?? 0 } });
  expect(await versions()).toEqual([]);
  expect(await statuses()).toEqual([200, 404, 404]);
});

test('somebody who brought other sound from a file of their own does not delete it as former sound', async () => {
  const { session } = writer;
  fileID = (await addFile(session, { seconds: 3 })).key;
  await session.patchAudioClip({ params: { audioClipID }, body: [{ fieldName: 'fileID', value: fileID }] });
  await putSound(2);
  await expect(session.deleteFile({ params: { fileID } })).rejects.toEqual(refusedWith(403));
  expect(await versions()).toHaveLength(2);
});

test('the upgrade hides former sound that collections and bookmarks have kept visible, and nothing from members', async () => {
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
  await place(owner, await addCollection(owner, { members: [reader] }), 'file', fileID);
  await upgrade();
  expect(await statuses()).toEqual([200, 200, 404]);
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
