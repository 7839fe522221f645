import { createValidator } from '@earshot/contract/validation';
import { announceClipList } from '@earshot/server/features/audio-clip/announce/announce';
import { deleteClip, patchClip, createClipPatchRules, updateClip } from '@earshot/server/features/audio-clip/change';
import { extractClips, findClips, findClipsOfDevices } from '@earshot/server/features/audio-clip/list/lists';
import { findClipsWithTags } from '@earshot/server/features/audio-clip/list/with-tags';
import { findTags } from '@earshot/server/features/audio-clip/tag/queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { silentLog } from '@earshot/server/testing/log';
import { orderCaptions } from '@earshot/server/features/caption/order/orders';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { openCapturing } from './plans.ts';
import { requireClip } from '@earshot/server/features/audio-clip/public';

// docs/architecture.md states the number of statements, which does not grow with the size of the request.

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

/** Statements, without begin and commit. */
async function costOf(work: (db: Pool) => Promise<unknown>): Promise<number> {
  capturing.sent.length = 0;
  await work(capturing.db);
  return capturing.sent.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text.trim())).length;
}

/** No clip here has a file, so file operations are not called. */
const soundless = (db: Pool) => ({
  db,
  log: silentLog,
  sounds: undefined as never,
  wakeups: { add: () => {} },
  orderCaptions,
});
const announce = (db: Pool, count: number) =>
  announceClipList(
    soundless(db),
    caller,
    device.deviceSerial,
    Array.from({ length: count }, (_, startTime) => ({ startTime, clipLengthInSeconds: 1 })),
  );

test('any number of new clips costs one statement, and existing clips one more', async () => {
  expect(await costOf((db) => announce(db, 1))).toBe(1);
  expect(await costOf((db) => announce(db, 1))).toBe(2);
  expect(await costOf((db) => announce(db, 1000))).toBe(2);
  device = await addDevice(server.admin.session);
  expect(await costOf((db) => announce(db, 1000))).toBe(1);
});

test('lists cost one statement, and one for the tags of the found clips', async () => {
  await announce(capturing.db, 10);
  const { deviceID } = device;
  expect(await costOf((db) => findClips(db, caller, { deviceID, tagList: [] }, false))).toBe(1);
  expect(await costOf((db) => findClips(db, caller, { count: 1000, order: 'asc' }, true))).toBe(1);
  expect(await costOf((db) => findClipsOfDevices(db, caller, { deviceIDList: [deviceID, 5, 6] }))).toBe(1);
  expect(await costOf((db) => findClipsWithTags(db, caller, { count: 5 }, undefined))).toBe(2);
  expect(await costOf((db) => findClipsWithTags(db, caller, { endEpoch: 0 }, undefined))).toBe(1);
  expect(await costOf((db) => findTags(db, caller))).toBe(1);
});

test('all clips of a device cost one statement for a thousand', async () => {
  await announce(capturing.db, 1000);
  const extracted = async (db: Pool) => {
    const pages = extractClips(db, caller, { deviceSerial: device.deviceSerial });
    while (!(await pages.next()).done);
  };
  expect(await costOf(extracted)).toBe(3);
});

test('a clip costs one statement to read, two to patch and one to remove, the audit trail included', async () => {
  const [clip] = await announce(capturing.db, 1);
  const key = clip?.key ?? 0;
  expect(await costOf((db) => requireClip(db, caller, 'read', key))).toBe(1);
  const patch = [{ fieldName: 'bitrate', value: 5 }];
  expect(
    await costOf((db) => patchClip(soundless(db), createClipPatchRules(createValidator()), caller, key, patch)),
  ).toBe(2);
  // The entry of the audit trail is part of the statement that changes the times.
  expect(await costOf((db) => updateClip(soundless(db), caller, key, { startTime: 50 }))).toBe(2);
  expect(
    await server.db`select 1 from audit_entries where action = 'clip-redated' and record_key = ${key}`,
  ).toHaveLength(1);
  expect(await costOf((db) => deleteClip(db, caller, key))).toBe(1);
});
