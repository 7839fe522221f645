import { createClient } from '@earshot/client/client';
import type { AuditEntry } from '@earshot/contract/audit';
import type { Person } from '@earshot/server/testing/person';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

const entriesFor = async (person: Person, filter = {}): Promise<AuditEntry[]> =>
  (await person.session.listAuditEntries({ body: { order: 'asc', count: 1000, ...filter } })).results;
const actionsFor = async (person: Person, filter = {}) =>
  (await entriesFor(person, filter)).map(({ action }) => action);
const aboutDevice = (deviceID: number) => actionsFor(server.admin, { deviceID });

async function addClip(owner: Person) {
  const { deviceID, deviceSerial } = await addDevice(owner.session);
  const clip = await owner.session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
  const params = { audioClipID: clip.key ?? 0 };
  await owner.session.putAudioClipContent({ params, body: tinyWav() });
  return { deviceID, deviceSerial, audioClipID: params.audioClipID, params };
}

const play = (by: Person, audioClipID: number, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new URL(`/v1/audioclip/${audioClipID}/content`, server.url), {
    method,
    headers: { cookie: by.cookie, ...headers },
  }).then((response) => response.arrayBuffer());

test('signing in, failing to, and signing out are recorded with the address, without the email', async () => {
  const person = await server.addPerson();
  const signIn = (email: string, password: string) =>
    createClient({ url: server.url }).createSession({ body: { email, password } });
  await expect(signIn(person.email, 'a wrong password')).rejects.toThrow();
  await expect(signIn('nobody-of-this-name@example.org', 'a wrong password')).rejects.toThrow();
  await person.session.deleteSession();
  const entries = await entriesFor(server.admin, { userID: person.userID });
  expect(entries).toMatchObject([
    { action: 'person-created', userID: server.admin.userID, personID: person.userID },
    { action: 'sign-in', userID: person.userID, address: expect.any(String) as string },
    { action: 'sign-in-failed', personID: person.userID, address: expect.any(String) as string },
    { action: 'sign-out', userID: person.userID },
  ]);
  expect(entries[2]).not.toHaveProperty('userID');
  const rows = await server.db`select 1 from audit_entries e where e::text like '%nobody-of-this-name%'`;
  expect(rows).toHaveLength(0);
});

test('a failed change leaves no entry', async () => {
  const person = await server.addPerson();
  await expect(person.session.deleteApiKey({ params: { apiKeyID: 999_999 } })).rejects.toThrow();
  expect(await actionsFor(person)).toEqual(['person-created', 'sign-in']);
});

test('keys, sharing, settings, changes, exports and deletions are recorded', async () => {
  const owner = await server.addPerson();
  const friend = await server.addPerson();
  const { deviceID, audioClipID, params } = await addClip(owner);
  const { apiKeyID } = await owner.withKey({ deviceID });
  await owner.session.deleteApiKey({ params: { apiKeyID } });
  const collection = await owner.session.createCollection({ body: { collectionName: 'Shared' } });
  const place = { collectionItemID: collection.key ?? 0 };
  const add = (itemType: 'device' | 'user', itemID: number) =>
    owner.session.addCollectionItem({ params: place, body: { itemType, itemID } });
  const item = await add('device', deviceID);
  await add('user', friend.userID);
  await owner.session.removeCollectionItem({ params: { collectionItemID: item.key ?? 0 } });
  await owner.session.putDeviceSetting({
    params: { deviceID },
    query: {},
    body: { settingName: 'volume', settingValue: '3' },
  });
  await owner.session.updateDevice({ params: { deviceID }, body: { retentionDays: 7 } });
  await owner.session.exportAudioClips({
    body: { deviceID, startEpoch: 1_794_704_000, endEpoch: 1_794_705_000, uploadURL: 'https://example.org/put' },
  });
  await owner.session.deleteAudioClip({ params });
  await owner.session.deleteDevice({ params: { deviceID } });
  expect(await aboutDevice(deviceID)).toEqual([
    'key-created',
    'key-removed',
    'item-shared',
    'item-unshared',
    'setting-changed',
    'device-changed',
    'sound-exported',
    'clip-removed',
    'device-removed',
  ]);
  const [removed] = await entriesFor(owner, { action: 'clip-removed' });
  expect(removed).toMatchObject({ userID: owner.userID, deviceID, recordID: audioClipID });
  expect(await entriesFor(owner, { userID: friend.userID })).toMatchObject([
    { action: 'item-shared', recordID: collection.key, personID: friend.userID },
  ]);
});

test('locking and unlocking a clip are recorded, and only if they change something', async () => {
  const owner = await server.addPerson();
  const { deviceID, audioClipID, params } = await addClip(owner);
  const { session } = owner;
  for (const change of [session.lockAudioClip, session.lockAudioClip, session.unlockAudioClip, session.unlockAudioClip])
    await change({ params });
  const entries = await entriesFor(owner, { deviceID });
  expect(entries.map(({ action }) => action)).toEqual(['clip-locked', 'clip-unlocked']);
  expect(entries[0]).toMatchObject({ userID: owner.userID, recordID: audioClipID, deviceID });
});

test('what a device reports of its settings is no act of a person', async () => {
  const owner = await server.addPerson();
  const { deviceID } = await addDevice(owner.session);
  const device = (await owner.withKey({ deviceID })).client;
  await device.putDeviceSetting({ params: { deviceID }, query: {}, body: { settingName: 'gain', settingValue: '1' } });
  expect(await aboutDevice(deviceID)).toEqual(['key-created']);
});

test('playing a clip in many range requests is one entry for each person', async () => {
  const owner = await server.addPerson();
  const { audioClipID } = await addClip(owner);
  await play(owner, audioClipID, {}, 'HEAD');
  expect(await actionsFor(owner, { action: 'sound-played' })).toEqual([]);
  for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=200-', 'bytes=0-'])
    await play(owner, audioClipID, { range });
  await play(server.admin, audioClipID);
  expect(await entriesFor(owner, { action: 'sound-played' })).toMatchObject([
    { userID: owner.userID, recordID: audioClipID },
    { userID: server.admin.userID, recordID: audioClipID },
  ]);
});

test('people read what they did and what was done with their devices, and nothing of others', async () => {
  const owner = await server.addPerson();
  const stranger = await server.addPerson();
  const { deviceID, audioClipID } = await addClip(owner);
  await play(server.admin, audioClipID);
  expect(await actionsFor(owner, { deviceID })).toEqual(['sound-played']);
  expect(await actionsFor(stranger)).toEqual(['person-created', 'sign-in']);
  expect(await actionsFor(stranger, { deviceID })).toEqual([]);
  expect(await actionsFor(stranger, { userID: owner.userID })).toEqual([]);
  // The next owner does not learn what was done before.
  await server.admin.session.updateDevice({ params: { deviceID }, body: { userID: stranger.userID } });
  await server.admin.session.updateDevice({ params: { deviceID }, body: { retentionDays: 3 } });
  expect(await actionsFor(stranger, { deviceID })).toEqual(['device-changed', 'device-changed']);
  expect(await actionsFor(owner, { deviceID })).toEqual(['sound-played', 'device-changed']);
});

test('pages have every entry once, also of the same moment, forwards and back', async () => {
  const person = await server.addPerson();
  await server.db`
    insert into audit_entries (action, user_id, record_key)
    select 'clip-removed', ${person.userID}, n from generate_series(1, 25) n`;
  const body = { action: 'clip-removed', count: 10 } as const;
  const first = await person.session.listAuditEntries({ body });
  const second = await person.session.listAuditEntries({ body: { ...body, cursor: first.next ?? '' } });
  const third = await person.session.listAuditEntries({ body: { ...body, cursor: second.next ?? '' } });
  const keys = [first, second, third].flatMap(({ results }) => results.map(({ recordID }) => recordID));
  expect(keys).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  expect(third.next).toBeUndefined();
  const back = await person.session.listAuditEntries({ body: { ...body, cursor: second.previous ?? '' } });
  expect(back.results).toEqual(first.results);
});

test('an export is JSON lines or CSV, and is itself an entry', async () => {
  const person = await server.addPerson();
  const text = await person.session.exportAuditEntries({ body: {} });
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as AuditEntry).action)).toEqual([
    'person-created',
    'sign-in',
    'audit-exported',
  ]);
  const response = await fetch(new URL('/v1/audit/export', server.url), {
    method: 'POST',
    headers: { cookie: person.cookie, accept: 'text/csv', 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'sign-in' }),
  });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, row, ...rest] = (await response.text()).split('\r\n');
  expect(head).toBe(
    'key,auditDate,action,userID,sessionID,aPIKeyID,deviceID,recordID,personID,fileID,address,sHA256Before,sHA256After,leafIndex,ruleID',
  );
  expect(row).toMatch(new RegExp(`^\\d+,\\d{4}-.*Z,sign-in,${person.userID},\\d+,,,\\d+,${person.userID},,`));
  expect(rest).toEqual(['']);
});

test('entries cannot be changed, deleted or truncated', async () => {
  const { db } = server;
  await db`insert into audit_entries (action, audit_date) values ('sign-out', '2001-02-03')`;
  const refusal = /cannot be changed or deleted/;
  await expect(db`update audit_entries set action = 'sign-in'`).rejects.toThrow(refusal);
  await expect(db`delete from audit_entries where action = 'sign-out'`).rejects.toThrow(refusal);
  await expect(db`truncate audit_entries`).rejects.toThrow(refusal);
  await expect(db`delete from audit_entries_other`).rejects.toThrow(refusal);
  await expect(db`truncate audit_entries_other`).rejects.toThrow(refusal);
});
