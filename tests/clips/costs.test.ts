import { createValidator } from '@earshot/contract/validation';
import { announceClipList } from '@earshot/server/features/audio-clip/announce';
import { deleteClip, patchClip, createPatchRules, requireClip } from '@earshot/server/features/audio-clip/change';
import { extractClips, findClips, findClipsOfDevices } from '@earshot/server/features/audio-clip/lists';
import { findClipsWithTags } from '@earshot/server/features/audio-clip/with-tags';
import { listTags } from '@earshot/server/features/tag/queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { silentLog } from '@earshot/server/testing/log';
import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDevice, type Device } from '../events/fleet.ts';
import { openCapturing } from './plans.ts';

// How many statements each costs is promised in docs/architecture.md, and does not grow with what is asked for.

let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
let device: Device;
let caller: Caller;
beforeAll(async () => {
  server = await startTestServer();
  caller = { userID: server.admin.userID, role: 'admin', credential: 'test' };
  capturing = openCapturing(server.databaseUrl);
  await capturing.db`select 1`;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await server.stop();
});
beforeEach(async () => {
  device = await addDevice(server.admin.session);
});

/** Statements, but for the beginning and the end of a transaction. */
async function costOf(work: (db: Pool) => Promise<unknown>): Promise<number> {
  capturing.sent.length = 0;
  await work(capturing.db);
  return capturing.sent.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text.trim())).length;
}

/** Nothing here has a file, so nothing of it is asked for. */
const soundless = (db: Pool) => ({ db, log: silentLog, sounds: undefined as never, wakeups: { add: () => {} } });
const announce = (db: Pool, count: number) =>
  announceClipList(
    soundless(db),
    caller,
    device.deviceSerial,
    Array.from({ length: count }, (_, startTime) => ({ startTime, clipLengthInSeconds: 1 })),
  );

test('new clips cost one statement, however many, and clips that were there one more', async () => {
  expect(await costOf((db) => announce(db, 1))).toBe(1);
  expect(await costOf((db) => announce(db, 1))).toBe(2);
  expect(await costOf((db) => announce(db, 1000))).toBe(2);
  device = await addDevice(server.admin.session);
  expect(await costOf((db) => announce(db, 1000))).toBe(1);
});

test('lists cost one statement, and one for the tags of what is found', async () => {
  await announce(capturing.db, 10);
  const { deviceID } = device;
  expect(await costOf((db) => findClips(db, caller, { deviceID, tagList: [] }, false))).toBe(1);
  expect(await costOf((db) => findClips(db, caller, { count: 1000, order: 'asc' }, true))).toBe(1);
  expect(await costOf((db) => findClipsOfDevices(db, caller, { deviceIDList: [deviceID, 5, 6] }))).toBe(1);
  expect(await costOf((db) => findClipsWithTags(db, caller, { count: 5 }, undefined))).toBe(2);
  expect(await costOf((db) => findClipsWithTags(db, caller, { endEpoch: 0 }, undefined))).toBe(1);
  expect(await costOf((db) => listTags(db, caller))).toBe(1);
});

test('all clips of a device cost one statement for a thousand', async () => {
  await announce(capturing.db, 1000);
  const extracted = async (db: Pool) => {
    const pages = extractClips(db, caller, { deviceSerial: device.deviceSerial });
    while (!(await pages.next()).done);
  };
  expect(await costOf(extracted)).toBe(3);
});

test('a clip costs one to read, two to patch, one to remove', async () => {
  const [clip] = await announce(capturing.db, 1);
  const key = clip?.key ?? 0;
  expect(await costOf((db) => requireClip(db, caller, 'read', key))).toBe(1);
  const patch = [{ fieldName: 'bitrate', value: 5 }];
  expect(await costOf((db) => patchClip(soundless(db), createPatchRules(createValidator()), caller, key, patch))).toBe(
    2,
  );
  expect(await costOf((db) => deleteClip(db, caller, key))).toBe(1);
});
