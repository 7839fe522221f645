import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { createPeople, personPassword } from '@earshot/server/testing/person';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256, tinyWav } from './sound.ts';
import { addFile, announce, putWhole } from './uploading.ts';

// A signed address carries the person for whom it was made, and the API key or the session. All are checked when it is used.

const bytes = tinyWav();
let server: TestServer;
let owner: Person;
let member: Person;
let deviceSerial: string;
let deviceID: number;
let memberItemID: number;
let collectionID: number;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  [owner, member] = [await server.addPerson(), await server.addPerson()];
  deviceSerial = `d-${randomUUID()}`;
  const { session } = owner;
  deviceID = (await session.createDevice({ body: { deviceSerial } })).key ?? 0;
  const shared = { collectionName: 'Harbour', memberAccess: 'write' } as const;
  collectionID = (await session.createCollection({ body: shared })).key ?? 0;
  const place = (itemType: 'user' | 'device', itemID: number) =>
    session.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  await place('device', deviceID);
  memberItemID = (await place('user', member.userID)).key ?? 0;
});

const loseAccess = () => owner.session.removeCollectionItem({ params: { collectionItemID: memberItemID } });
const onlyRead = () => owner.session.updateCollection({ params: { collectionID }, body: { memberAccess: 'read' } });
const disable = () => server.admin.session.updateUser({ params: { userID: member.userID }, body: { disabled: true } });
const remove = () => server.admin.session.deleteUser({ params: { userID: member.userID } });

const locationFor = async (person: Person, fileID: number) =>
  (await person.session.getFile({ params: { fileID } })).fileLocation ?? '';

test.each([
  ['loses access', loseAccess],
  ['is disabled', disable],
  ['is removed', remove],
])('a download address ends when its person %s, and that of others stays', async (_what, end) => {
  const { key } = await addFile(owner, bytes, { deviceSerial });
  const [theirs, own] = [await locationFor(member, key), await locationFor(owner, key)];
  expect(new URL(theirs).searchParams.get('person')).toBe(String(member.userID));
  expect((await fetch(theirs)).status).toBe(200);
  await end();
  const refused = await fetch(theirs);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { detail: expect.stringContaining('may no longer read') },
  ]);
  expect((await fetch(own)).status).toBe(200);
});

test.each([
  ['loses access', loseAccess],
  ['may only read', onlyRead],
  ['is disabled', disable],
])('an upload address ends when its person %s', async (_what, end) => {
  const waiting = await announce(member, bytes, { deviceSerial });
  expect((await fetch(waiting.url, { method: 'HEAD' })).status).toBe(200);
  await end();
  const refused = await putWhole(waiting.url, bytes);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { detail: expect.stringContaining('may no longer change') },
  ]);
  expect((await fetch(waiting.url, { method: 'HEAD' })).status).toBe(403);
});

describe.each([
  ['an API key', () => owner.withKey()],
  ['a device key', () => owner.withKey({ deviceID })],
])('an address that was made with %s', (_what, makeKey) => {
  test('ends with the key, and those made with another one stay', async () => {
    const { key: fileID } = await addFile(owner, bytes, { deviceSerial });
    const addresses = async ({ client }: { client: Client }) => ({
      download: (await client.getFile({ params: { fileID } })).fileLocation ?? '',
      upload: (await announce({ session: client }, bytes, { deviceSerial })).url,
    });
    const [key, otherKey] = [await makeKey(), await makeKey()];
    const [made, other] = [await addresses(key), await addresses(otherKey)];
    expect(new URL(made.download).searchParams.get('apiKey')).toBe(String(key.apiKeyID));
    const use = async ({ download, upload }: typeof made) => [
      (await fetch(download)).status,
      (await fetch(upload, { method: 'HEAD' })).status,
    ];
    expect(await use(made)).toEqual([200, 200]);
    await owner.session.deleteApiKey({ params: { apiKeyID: key.apiKeyID } });
    expect(await use(made)).toEqual([403, 403]);
    expect((await putWhole(made.upload, bytes)).status).toBe(403);
    expect(await use(other)).toEqual([200, 200]);
    const withoutKey = made.download.replace(/&apiKey=\d+/, '');
    const withOther = made.download.replace(/apiKey=\d+/, `apiKey=${otherKey.apiKeyID}`);
    expect([(await fetch(withoutKey)).status, (await fetch(withOther)).status]).toEqual([404, 404]);
  });
});

const signOut = ({ session }: Person) => session.deleteSession();
const beEnded = async () => {
  const sessions = await owner.session.listSessions();
  await owner.session.endSession({ params: { sessionID: sessions.find(({ current }) => !current)?.key ?? 0 } });
};
const expire = async ({ session }: Person) => {
  const { key = 0 } = await session.getSession();
  await server.db`update sessions set expiration_date = now() - interval '1 second' where key = ${key}`;
};

test.each([
  ['its person signs out', signOut],
  ['its person ends it elsewhere', beEnded],
  ['it expires', expire],
])('an address that was made in a session ends when %s, and those of another session stay', async (_what, end) => {
  const { key: fileID } = await addFile(owner, bytes, { deviceSerial });
  const browser = await createPeople(server.url).signIn(owner.email, personPassword);
  const addresses = async (person: Person) => [
    await locationFor(person, fileID),
    (await announce(person, bytes, { deviceSerial })).url,
  ];
  const [made, others] = [await addresses(browser), await addresses(owner)];
  const use = async ([download = '', upload = '']: readonly string[]) => [
    (await fetch(download)).status,
    (await fetch(upload, { method: 'HEAD' })).status,
  ];
  const { key: sessionID } = await browser.session.getSession();
  expect(made.map((address) => new URL(address).searchParams.get('session'))).toEqual(Array(2).fill(String(sessionID)));
  expect([await use(made), await use(others)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
  await end(browser);
  expect([await use(made), await use(others)]).toEqual([
    [403, 403],
    [200, 200],
  ]);
  expect(await (await fetch(made[0] ?? '')).json()).toMatchObject({ detail: expect.stringContaining('has ended') });
  const { key: other } = await owner.session.getSession();
  for (const forged of ['', `&session=${other}`, `&apiKey=${sessionID}`])
    expect(await use(made.map((address) => address.replace(/&session=\d+/, forged)))).toEqual([404, 404]);
});

test('a download address that was made with a device key ends when the key becomes write-only', async () => {
  const { key: fileID } = await addFile(owner, bytes, { deviceSerial });
  const { client, apiKeyID } = await owner.withKey({ deviceID });
  const { fileLocation = '' } = await client.getFile({ params: { fileID } });
  const waiting = await announce({ session: client }, bytes, { deviceSerial });
  expect((await fetch(fileLocation)).status).toBe(200);
  await owner.session.makeKeyWriteOnly({ params: { apiKeyID } });
  expect((await fetch(fileLocation)).status).toBe(403);
  expect((await putWhole(waiting.url, bytes)).status).toBe(200);
});

// An address of an object store cannot be withdrawn, so this is what stops bytes that were sent to one.
test('bytes that arrived before do not become a file once their sender may only read', async () => {
  const waiting = await announce(member, bytes, { deviceSerial });
  expect((await putWhole(waiting.url, bytes)).status).toBe(200);
  await onlyRead();
  const params = { fileID: waiting.key };
  await expect(member.session.finishFile({ params })).rejects.toMatchObject({ status: 403 });
  expect(await owner.session.getFile({ params })).toMatchObject({ fileStatus: 0, sHA256Hash: sha256(bytes) });
});

test('a download by address is in the trail as its person, with the API key or the session', async () => {
  const { key } = await addFile(owner, bytes, { deviceSerial });
  const { client, apiKeyID } = await owner.withKey();
  await (await fetch(await locationFor(member, key))).arrayBuffer();
  await (await fetch(await locationFor({ ...owner, session: client }, key))).arrayBuffer();
  await expect
    .poll(
      () => server.db`select user_id, session_id is not null as "inSession", api_key_id from audit_entries where action = 'file-downloaded'
      and record_key = ${key} order by user_id`,
    )
    .toEqual([
      { user_id: owner.userID, inSession: false, api_key_id: apiKeyID },
      { user_id: member.userID, inSession: true, api_key_id: null },
    ]);
});
