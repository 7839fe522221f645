import { needs } from '@earshot/server/testing/needs';
import { personPassword } from '@earshot/server/testing/person';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { makeSound } from './speech.ts';

describe('the former sound of a clip', needs('chromium'), () => {
  let app: Console;
  let audioClipID: number;
  let deviceID: number;
  beforeAll(async () => {
    app = await startConsole();
    const { session } = app.server.admin;
    const device = await session.createDevice({ body: { deviceSerial: 'recorder-17', deviceName: 'North gate' } });
    deviceID = device.key ?? 0;
    const clip = await session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
    audioClipID = clip.key ?? 0;
    const put = (seconds: number) =>
      session.putAudioClipContent({ params: { audioClipID }, body: makeSound([], seconds) });
    await put(2);
    await session.correctCaption({ params: { captionID: audioClipID }, body: { transcript: 'my name is Miller' } });
    await put(3);
  });
  afterAll(() => app.stop());

  test('is listed with its transcript, plays, and is deleted after a confirmation unless the clip is locked', async () => {
    const page = await app.open(`/clips/${audioClipID}`, { isStill: true });
    const section = page.getByRole('region', { name: 'Former sound' });
    await section.getByText('my name is Miller').waitFor();
    await section.getByText(/^2 s, .* SHA-256/).waitFor();
    const length = await section.locator('audio').evaluate(async (audio: HTMLAudioElement) => {
      await audio.play();
      return audio.duration;
    });
    expect(length).toBeCloseTo(2, 1);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText('Unlock the clip to replace its audio, change its times, or delete it.').waitFor();
    await section.getByText('unlock it to delete former sound').waitFor();
    expect(await section.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Locked', exact: true }).click();

    await section.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('deleted for good').waitFor();
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await section.waitFor({ state: 'detached' });
    const versions = await app.server.admin.session.listAudioClipVersions({ params: { audioClipID } });
    expect(versions).toEqual([]);
    expect(app.faults).toEqual([]);
    expect(app.logErrors).toEqual([]);
    await page.context().close();
  });

  test('is not asked for by people with whom the device is shared', async () => {
    const { session } = app.server.admin;
    await session.putAudioClipContent({ params: { audioClipID }, body: makeSound([], 4) });
    const reader = await app.server.addPerson();
    const { key = 0 } = await session.createCollection({ body: { collectionName: 'Quay', memberAccess: 'write' } });
    const place = (itemType: 'device' | 'user', itemID: number) =>
      session.addCollectionItem({ params: { collectionItemID: key }, body: { itemType, itemID } });
    await place('device', deviceID);
    await place('user', reader.userID);
    const page = await app.open(`/clips/${audioClipID}`, { email: reader.email, password: personPassword });
    await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Former sound' }).count()).toBe(0);
    expect(app.logErrors).toEqual([]);
    await page.context().close();
  });
});
