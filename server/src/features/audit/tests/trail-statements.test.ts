import { randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { changeClip } from '../../audio-clip/change-queries.ts';
import { openCapturing } from '../../audio-clip/tests/plans.ts';
import { removeVersion } from '../../audio-clip/version/queries.ts';
import { changeTitle } from '../../audio-clip/recording/rules.ts';
import { setLock } from '../../audio-clip/retention/lock-queries.ts';
import { tagClip, untagClip } from '../../audio-clip/tag/rules.ts';
import { restoreVersion, saveCorrection } from '../../caption/correct/correct.ts';
import { changePosition } from '../../device/position/rules.ts';
import { mergeLongestClip } from '../../device/queries.ts';
import { enqueueAll } from '../../event/enqueue/enqueue.ts';
import { requireEventType } from '../../event/type/names.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';

let server: SharedServer;
let capturing: ReturnType<typeof openCapturing>;
let owner: Person;
let caller: Caller;
beforeAll(async () => {
  server = await sharedTestServer();
  capturing = openCapturing(server.databaseUrl);
  owner = await server.addPerson();
  caller = { userID: owner.userID, role: 'member', credential: 'test' };
});
afterAll(() => capturing.db.end({ timeout: 1 }));

/** The statements that `work` sends, without those that begin and end a transaction. */
async function sentBy(work: (db: Pool) => Promise<unknown>): Promise<readonly string[]> {
  capturing.sent.length = 0;
  await work(capturing.db);
  return capturing.sent.map(({ text }) => text.trim()).filter((text) => !/^(begin|commit)/i.test(text));
}

async function addClip() {
  const { deviceID } = await addDevice(owner.session);
  const { key: audioClipID = 0 } = await owner.session.createAudioClip({
    body: { deviceID, startTime: 1_794_704_400 },
  });
  await owner.session.correctCaption({ params: { captionID: audioClipID }, body: { transcript: 'Good morning.' } });
  return { deviceID, audioClipID };
}

type Clip = Awaited<ReturnType<typeof addClip>>;

/** What some acts need: a tag, sound, or former sound. Returns the key of the record that the act names. */
async function prepare(act: string, { audioClipID }: Clip): Promise<number> {
  const params = { audioClipID };
  const put = (seconds: number) => owner.session.putAudioClipContent({ params, body: tinyWav(seconds) });
  if (act === 'clip-untagged') return tagOf({ audioClipID });
  if (act === 'sound-detached') return (await put(1)).fileID ?? 0;
  if (act === 'sound-replaced') {
    const { fileID = 0 } = await put(1);
    await put(2);
    return fileID;
  }
  if (act !== 'version-removed') return 0;
  await put(1);
  await put(2);
  return (await owner.session.listAudioClipVersions({ params }))[0]?.key ?? 0;
}

async function tagOf({ audioClipID }: Pick<Clip, 'audioClipID'>): Promise<number> {
  const tag = await owner.session.createAudioClipTag({ params: { audioClipID }, body: { tagName: 'owl' } });
  return tag.key ?? 0;
}

const reboot = async (db: Db, { deviceID }: Clip) =>
  enqueueAll(db, caller, [deviceID], await requireEventType(server.db, { eventType: 'Reboot' }));

/** Each with the statements that it took before it was recorded (docs/architecture.md). */
const acts: Readonly<
  Record<string, readonly [number, (db: Pool, clip: Clip, preparedKey: number) => Promise<unknown>]>
> = {
  'sound-replaced': [
    1,
    (db, { audioClipID }, fileID) =>
      changeClip(db, caller, audioClipID, { fileID }, { sound: 'replaced', isRedated: false }),
  ],
  'sound-detached': [
    1,
    (db, { audioClipID }) =>
      changeClip(db, caller, audioClipID, { fileID: null, status: 0 }, { sound: 'detached', isRedated: false }),
  ],
  'clip-redated': [
    1,
    (db, { audioClipID }) => changeClip(db, caller, audioClipID, { startMs: 5 }, { sound: undefined, isRedated: true }),
  ],
  'version-removed': [1, (db, { audioClipID }, versionID) => removeVersion(db, caller, audioClipID, versionID)],
  'clip-locked': [1, (db, { audioClipID }) => setLock(db, caller, audioClipID, true)],
  'clip-renamed': [2, (db, { audioClipID }) => changeTitle(db, caller, audioClipID, 'At the pond')],
  'clip-tagged': [5, (db, { audioClipID }) => tagClip(db, caller, audioClipID, { tagName: randomUUID() })],
  'clip-untagged': [1, (db, { audioClipID }, tagID) => untagClip(db, caller, audioClipID, tagID)],
  'caption-corrected': [
    9,
    (db, { audioClipID }) => saveCorrection(db, caller, audioClipID, { transcript: 'Good day.' }),
  ],
  'caption-removed': [9, (db, { audioClipID }) => saveCorrection(db, caller, audioClipID, { transcript: '' })],
  'caption-corrected by a former version': [9, (db, { audioClipID }) => restoreVersion(db, caller, audioClipID, 1)],
  'device-changed': [3, (db, { deviceID }) => changePosition(db, caller, deviceID, { latitude: 1, longitude: 2 })],
  'device-merged': [1, (db, { deviceID }) => mergeLongestClip(db, caller, deviceID, deviceID)],
  'command-sent': [2, (db, clip) => reboot(db, clip)],
};

test.each(Object.entries(acts))('%s: the entry is within the statement of the change', async (name, [count, act]) => {
  const clip = await addClip();
  const preparedKey = await prepare(name, clip);
  const sent = await sentBy((db) => act(db, clip, preparedKey));
  expect(sent).toHaveLength(count);
  const recording = sent.filter((text) => text.includes('insert into audit_entries'));
  expect(recording).toHaveLength(1);
  expect(recording[0]).toMatch(/^with /);
  const [entry] = (await owner.session.listAuditEntries({ body: { deviceID: clip.deviceID, count: 1 } })).results;
  expect(entry).toMatchObject({ action: name.split(' ')[0], userID: owner.userID });
});
