import type { Client } from '@earshot/client/client';
import { eventStatus } from '@earshot/contract/event-status';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addCollection, place } from '../../../../../tests/access/places.ts';
import { announce } from '../../audio-clip/tests/recordings.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { addFile } from '../../file/tests/uploading.ts';

const start = 1_794_704_400;
let server: SharedServer;
let owner: Person;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  owner = await server.addPerson();
  client = owner.session;
});
beforeEach(async () => {
  device = await addDevice(client, { autoCaption: false });
});

async function addClip(atSeconds: number, title?: string): Promise<number> {
  const { key: audioClipID } = await announce(client, device, { startTime: start + atSeconds });
  await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(0.5) });
  if (title !== undefined) await client.updateAudioClipRecording({ params: { audioClipID }, body: { title } });
  return audioClipID;
}

/** Exports all sound of the device; returns the event and the file. */
async function exportAll(): Promise<{ eventID: number; fileID: number }> {
  const { key: eventID = 0 } = await client.exportAudioClips({
    body: { ...device, startEpoch: start, endEpoch: start + 3_600 },
  });
  const result = await vi.waitFor(
    async () => {
      const event = await client.getEvent({ params: { eventID } });
      expect(event.eventStatus).toBe(eventStatus.complete);
      return event.result ?? '';
    },
    { interval: 50 },
  );
  return { eventID, ...(JSON.parse(result) as { fileID: number }) };
}

async function nameOf(fileID: number, { session }: Pick<Person, 'session'> = owner): Promise<string> {
  const response = await session.getFileContent({ params: { fileID } });
  await response.arrayBuffer();
  return response.headers.get('content-disposition') ?? '';
}

const removeClip = (audioClipID: number) => client.deleteAudioClip({ params: { audioClipID } });

describe('an export is downloaded', () => {
  test('under the title of its clip, which is never stored', async () => {
    const clip = await addClip(0, 'Dawn chorus');
    const { eventID, fileID } = await exportAll();
    expect(await nameOf(fileID)).toContain('filename="Dawn chorus.wav"');
    expect(await client.getFile({ params: { fileID } })).toMatchObject({ filename: `joined-${eventID}.wav` });
    await client.updateAudioClipRecording({ params: { audioClipID: clip }, body: { title: 'Uhu/"Käuzchen" 100%' } });
    expect(await nameOf(fileID)).toBe(
      `inline; filename="Uhu__K_uzchen_ 100_.wav"; filename*=UTF-8''Uhu_%22K%C3%A4uzchen%22%20100%25.wav`,
    );
    await removeClip(clip);
    expect(await nameOf(fileID)).toContain(`filename="joined-${eventID}.wav"`);
  });

  test('under the title of the first clip that is left, with the number of the others', async () => {
    const [dusk, night] = [await addClip(30, 'Dusk'), await addClip(60, 'Night')];
    const noon = await addClip(0, 'Noon');
    const { eventID, fileID } = await exportAll();
    expect(await nameOf(fileID)).toContain('filename="Noon and 2 more.wav"');
    await removeClip(noon);
    expect(await nameOf(fileID)).toContain('filename="Dusk and 2 more.wav"');
    for (const clip of [dusk, night]) await removeClip(clip);
    expect(await nameOf(fileID)).toContain(`filename="joined-${eventID}.wav"`);
  });

  test('under its own name without a title, and by those who may read the file and not the clips', async () => {
    const clip = await addClip(0);
    const { eventID, fileID } = await exportAll();
    const own = `filename="joined-${eventID}.wav"`;
    expect(await nameOf(fileID)).toContain(own);
    await client.updateAudioClipRecording({ params: { audioClipID: clip }, body: { title: 'Dawn' } });
    const guest = await server.addPerson();
    await place(owner, await addCollection(owner, { members: [guest] }), 'file', fileID);
    expect(await nameOf(fileID, guest)).toContain(own);
    expect(await nameOf(fileID)).toContain('filename="Dawn.wav"');
    const { fileLocation = '' } = await client.getFile({ params: { fileID } });
    const addressed = await fetch(fileLocation);
    await addressed.arrayBuffer();
    expect(addressed.headers.get('content-disposition')).toContain(own);
  });
});

test('a file that only has the name of an export keeps it', async () => {
  await addClip(0, 'Dawn chorus');
  const { eventID } = await exportAll();
  const { deviceSerial } = device;
  for (const filename of [`joined-${eventID}.wav`, 'joined-999999999999999.wav', `joined-${eventID}`]) {
    const { key } = await addFile(owner, tinyWav(), { filename, deviceSerial });
    expect(await nameOf(key)).toContain(`filename="${filename}"`);
  }
});
