import type { Custody } from '@earshot/contract/custody';
import { fingerprintOf } from '@earshot/contract/signed-note';
import { verifyCustody } from '@earshot/contract/verify-custody';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test, vi } from 'vitest';
import { createAlertScene, fire, minuteMs } from '../../alert/tests/scene.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';

let server: SharedServer;
let owner: Person;
beforeAll(async () => {
  server = await sharedTestServer();
  owner = await server.addPerson();
});

const startTime = 1_794_704_400;

async function addClip(person: Person) {
  const { deviceID } = await addDevice(person.session);
  const clip = await person.session.createAudioClip({ body: { deviceID, startTime } });
  const params = { audioClipID: clip.key ?? 0 };
  await person.session.putAudioClipContent({ params, body: tinyWav() });
  return { deviceID, params };
}

type Params = Awaited<ReturnType<typeof addClip>>['params'];

/** With all entries sealed: a transaction of another test may delay a seal. */
async function exportSealed(person: Person, params: Params): Promise<Custody> {
  for (;;) {
    const custody = await person.session.exportCustody({ params });
    if (custody.custody.unsealed.length === 0) return custody;
  }
}

const keyOf = ({ custody }: Custody): string => custody.keys.at(-1)?.fingerprint ?? '';
const headOf = ({ custody }: Custody): string => custody.head ?? '';
const actionsOf = ({ custody }: Custody): readonly string[] => [
  ...new Set(custody.proofs.map(({ entry }) => entry.action)),
];
const check = (custody: Custody, trust: Parameters<typeof verifyCustody>[1] = {}) =>
  verifyCustody(JSON.stringify(custody), trust);

test('it has the facts of the clip, what was done with it, and the export itself, each with a proof', async () => {
  const { deviceID, params } = await addClip(owner);
  // A client may write any size into the record of the clip.
  await owner.session.updateAudioClip({ params, body: { fileSize: 7 } });
  await owner.session.lockAudioClip({ params });
  await owner.session.createAudioClipTag({ params, body: { tagName: 'owl' } });
  await owner.session.correctCaption({ params: { captionID: params.audioClipID }, body: { transcript: 'Good day.' } });
  await (await server.admin.session.getAudioClipContent({ params })).arrayBuffer();
  await owner.session.exportAudioClips({ body: { deviceID, startEpoch: startTime - 10, endEpoch: startTime + 10 } });
  const custody = await exportSealed(owner, params);
  expect(custody.custody).toMatchObject({
    format: 'earshot-custody',
    issuedTo: owner.userID,
    clip: { audioClipID: params.audioClipID, deviceID, startTime, announcedBy: owner.userID, lockedBy: owner.userID },
    sound: { sHA256Hash: sha256(tinyWav()), fileSize: tinyWav().length, uploadedDate: expect.any(String) as string },
    unsealed: [],
  });
  expect(actionsOf(custody).toSorted()).toEqual(
    [
      'clip-locked',
      'clip-tagged',
      'caption-corrected',
      'sound-played',
      'sound-exported',
      'custody-exported',
    ].toSorted(),
  );
  expect(custody.custody.unknown.join(' ')).toContain('once in 10 minutes');
});

test('replaced sound is told: what arrived first, what is kept, and who replaced it', async () => {
  const { params } = await addClip(owner);
  const [first, other] = [sha256(tinyWav()), sha256(tinyWav(0.7))];
  await owner.session.putAudioClipContent({ params, body: tinyWav(0.7) });
  const { custody } = await exportSealed(owner, params);
  expect(custody).toMatchObject({
    sound: { sHA256Hash: other, firstSHA256Hash: first },
    formerSound: [{ sHA256Hash: first, startTime, replacedBy: owner.userID, formerDate: expect.any(String) as string }],
  });
  const replaced = custody.proofs.find(({ entry }) => entry.action === 'sound-replaced');
  expect(replaced?.entry).toMatchObject({ sHA256Before: first, sHA256After: other, userID: owner.userID });
});

test('downloads of former sound, of results of exports and of reports of alerts are in it', async () => {
  const { client, person, addDevice: addQuietDevice, say, now, addRule, alertsOf, lend } = await createAlertScene();
  const deviceID = await addQuietDevice();
  const reader = await server.addPerson();
  await lend(deviceID, reader.userID);
  const ruleID = await addRule(fire);
  const audioClipID = await say(deviceID, now - minuteMs, 'fire one');
  const unrelated = await say(deviceID, now - 2 * minuteMs, 'water');
  const params = { audioClipID };
  for (const key of [audioClipID, unrelated])
    await client.putAudioClipContent({ params: { audioClipID: key }, body: tinyWav() });
  const { fileID: formerID = 0 } = await client.getAudioClip({ params });
  const alertID = (await alertsOf(ruleID))[0]?.key ?? 0;
  await client.getAlertReport({ params: { alertID }, query: {} });
  await client.putAudioClipContent({ params, body: tinyWav(0.7) });
  const download = async (from: Person['session'], fileID: number) =>
    (await from.getFileContent({ params: { fileID } })).arrayBuffer();
  await download(client, formerID);
  const joined = async (key: number) => {
    const event = await client.concatenateAudioClips({
      body: { deviceID, audioClips: [{ key }] },
      query: { usevrs: true },
    });
    const result = await vi.waitFor(async () => {
      const read = await client.getEvent({ params: { eventID: event.key ?? 0 } });
      expect(read.eventStatus).toBe(4);
      return read.result ?? '';
    });
    return (JSON.parse(result) as { fileID: number }).fileID;
  };
  const [resultID, otherID] = [await joined(audioClipID), await joined(unrelated)];
  for (const fileID of [resultID, otherID]) await download(reader.session, fileID);
  const { custody } = await exportSealed(person, params);
  const told = custody.proofs.map(({ entry: { action, recordID, userID } }) => [action, recordID, userID]);
  expect(told).toContainEqual(['file-downloaded', formerID, person.userID]);
  expect(told).toContainEqual(['file-downloaded', resultID, reader.userID]);
  expect(told).toContainEqual(['alert-reported', alertID, person.userID]);
  expect(told.flat()).not.toContain(otherID);
  expect(custody.unknown.join(' ')).toMatch(/former sound that was deleted since.*alerts that were deleted since/);
});

test('sound that was taken away is told, and sound that came back without an entry is found', async () => {
  const { params } = await addClip(owner);
  const { fileID = 0 } = await owner.session.getAudioClip({ params });
  const setFile = (value: number | null) =>
    owner.session.patchAudioClip({ params, body: [{ fieldName: 'fileID', value }] });
  await setFile(null);
  const without = await exportSealed(owner, params);
  expect(without.custody.sound).toEqual({ fileSize: tinyWav().length, firstSHA256Hash: sha256(tinyWav()) });
  expect(check(without)).toMatchObject({ verdict: 'consistent' });
  await server.db`update audio_clips set file_id = ${fileID}, audio_clip_status = 3 where key = ${params.audioClipID}`;
  expect(check(await exportSealed(owner, params)).faults).toEqual([
    expect.stringContaining('no entry gave it back') as string,
  ]);
  await server.db`update audio_clips set file_id = null, audio_clip_status = 0 where key = ${params.audioClipID}`;
  await setFile(fileID);
  const back = await exportSealed(owner, params);
  expect(back.custody.sound).toMatchObject({ sHA256Hash: sha256(tinyWav()) });
  expect(check(back)).toMatchObject({ verdict: 'consistent' });
});

test('it is consistent by itself, signed with the fingerprint, and verified with a head kept elsewhere', async () => {
  const { params } = await addClip(owner);
  const custody = await exportSealed(owner, params);
  const fingerprint = keyOf(custody);
  expect(check(custody)).toMatchObject({ verdict: 'consistent', faults: [] });
  expect(check(custody, { fingerprint })).toMatchObject({ verdict: 'signed', faults: [] });
  expect(check(custody, { fingerprint, heads: ['no head', headOf(custody)] })).toMatchObject({ verdict: 'verified' });
  expect(check(custody, { heads: [headOf(custody)] })).toMatchObject({ verdict: 'consistent' });
  // As a person saves it, with white space.
  expect(verifyCustody(JSON.stringify(custody, undefined, 2), { fingerprint })).toMatchObject({ verdict: 'signed' });
});

test('it is verified by an earlier head that was sent away', async () => {
  const { params } = await addClip(owner);
  const former = headOf(await exportSealed(owner, params));
  const [, formerSize] = former.split('\n').map(Number);
  await server.db`update audit_log set sent_size = ${formerSize ?? 0}`;
  await owner.session.lockAudioClip({ params });
  const custody = await exportSealed(owner, params);
  const fingerprint = keyOf(custody);
  expect(custody.custody.growth?.formerSize).toBe(formerSize);
  expect(check(custody, { fingerprint, heads: [former] })).toMatchObject({ verdict: 'verified', keptSize: formerSize });
  custody.custody.growth?.hashes.reverse();
  expect(check(custody).faults).toContain('The proof that its log continues an earlier one is wrong.');
});

type Change = (custody: Custody['custody'], given: Custody) => unknown;

const changes: Readonly<Record<string, Change>> = {
  'another hash': (custody) => (custody.sound.sHA256Hash = '0'.repeat(64)),
  'another start': (custody) => (custody.clip.startTime += 1),
  'an entry left out': (custody) => custody.proofs.shift(),
  'an entry of another person': (custody) => (custody.proofs[0]!.entry.userID = 1),
  'a proof at another place': (custody) => (custody.proofs[0]!.leafIndex += 1),
  'another head': (custody) => (custody.head = (custody.head ?? '').replace(/\n\d+\n/, '\n999999\n')),
  'another signature': (_custody, given) => (given.signature = given.signature.replace(/.{8}\n$/, 'AAAAAAA=\n')),
  'no proofs known to be missing': (custody) => custody.unknown.pop(),
};

test.each(Object.entries(changes))('a changed file is found: %s', async (_name, change) => {
  const { params } = await addClip(owner);
  await owner.session.lockAudioClip({ params });
  const custody = await exportSealed(owner, params);
  change(custody.custody, custody);
  const found = check(custody, { fingerprint: keyOf(custody) });
  expect(found.verdict).toBeUndefined();
  expect(found.faults.length).toBeGreaterThan(0);
});

test('another key, and values of other types, are found', async () => {
  const { params } = await addClip(owner);
  const custody = await exportSealed(owner, params);
  const fingerprint = fingerprintOf(Buffer.alloc(32));
  expect(check(custody, { fingerprint }).faults).toEqual([
    expect.stringContaining('No key has the fingerprint') as string,
  ]);
  expect(verifyCustody('{}')).toMatchObject({ verdict: undefined, statement: undefined });
  expect(verifyCustody('no JSON').faults).toHaveLength(1);
  for (const part of [{ keys: [{}] }, { proofs: [null] }, { head: 1 }, { growth: { formerSize: 1 } }])
    expect(
      verifyCustody(JSON.stringify({ ...custody, custody: { ...custody.custody, ...part } })).verdict,
    ).toBeUndefined();
});

test('the next owner gets no entries of the time before; an admin gets all', async () => {
  const next = await server.addPerson();
  const { deviceID, params } = await addClip(owner);
  await owner.session.lockAudioClip({ params });
  await server.admin.session.updateDevice({ params: { deviceID }, body: { userID: next.userID } });
  const ofNext = await exportSealed(next, params);
  expect(actionsOf(ofNext)).toEqual(['custody-exported']);
  expect(ofNext.custody.unknown).toContainEqual(expect.stringMatching(/^1 entries .* another owner/) as string);
  expect(actionsOf(await exportSealed(server.admin, params))).toEqual(['clip-locked', 'custody-exported']);
});

test('what was done before a merge is found', async () => {
  const { deviceID, params } = await addClip(owner);
  await owner.session.createAudioClipTag({ params, body: { tagName: 'owl' } });
  const { deviceID: intoDeviceID } = await addDevice(owner.session);
  await owner.session.mergeDevice({ params: { deviceID }, body: { intoDeviceID } });
  const custody = await exportSealed(owner, params);
  expect(actionsOf(custody)).toEqual(['clip-tagged', 'device-merged', 'custody-exported']);
  expect(custody.custody.clip.deviceID).toBe(intoDeviceID);
});
