import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import type { KeyedClip } from './recordings.ts';
import { announce } from './recordings.ts';

let server: SharedServer;
let owner: Client;
let device: Device;
let clip: KeyedClip;

const [first, second, third] = [tinyWav(1), tinyWav(2), tinyWav(3)];
const params = () => ({ audioClipID: clip.key });

beforeAll(async () => {
  server = await sharedTestServer();
  owner = (await server.addPerson()).session;
});
beforeEach(async () => {
  device = await addDevice(owner, { autoCaption: false });
  clip = await announce(owner, device, { startTime: 1_794_700_000 });
  for (const body of [first, second, third]) await owner.putAudioClipContent({ params: params(), body });
});

/** What the audit trail tells of removals, with the hash of what was removed. */
async function removals(): Promise<unknown[]> {
  const { results } = await owner.listAuditEntries({ body: { deviceID: device.deviceID } });
  return results
    .filter(({ action }) => action === 'clip-removed' || action === 'version-removed')
    .map(({ action, recordID, sHA256Before, sHA256After }) => [action, recordID, sHA256Before, sHA256After]);
}

const removeClip = () => owner.deleteAudioClip({ params: params() });
const removeDevice = () => owner.deleteDevice({ params: { deviceID: device.deviceID } });

test.each([
  ['a clip', removeClip, [third]],
  ['a device', removeDevice, []],
])(
  '%s is removed with the hash of each version and of its sound in the audit trail',
  async (_title, remove, sounds) => {
    await owner.lockAudioClip({ params: params() });
    await expect(remove()).rejects.toEqual(refusedWith(409));
    expect(await removals()).toEqual([]);
    await owner.unlockAudioClip({ params: params() });
    await remove();
    const told = await removals();
    expect(told).toHaveLength(sounds.length + 2);
    const entry = (action: string) => (sound: Uint8Array) => [action, clip.key, sha256(sound), undefined];
    const expected = [...sounds.map(entry('clip-removed')), ...[first, second].map(entry('version-removed'))];
    expect(told).toEqual(expect.arrayContaining(expected));
  },
);

test('a clip whose sound was taken away is removed with the hash of its version alone', async () => {
  await owner.patchAudioClip({ params: params(), body: [{ fieldName: 'fileID', value: null }] });
  await removeClip();
  expect(await removals()).toEqual(
    expect.arrayContaining([
      ['clip-removed', clip.key, undefined, undefined],
      ['version-removed', clip.key, sha256(third), undefined],
    ]),
  );
});
