import { noCaptions } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRecorder, captionOf } from '../../server/src/features/caption/tests/captioning.ts';
import type { Recorder } from '../../server/src/features/caption/tests/captioning.ts';
import type { TestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { makeSound } from './speech.ts';

describe('spoken languages', needs('chromium'), () => {
  let app: Console;
  let engines: TestEars;
  let recorder: Recorder;
  let clipID: number;
  beforeAll(async () => {
    engines = createTestEars();
    app = await startConsole({ captions: noCaptions }, engines);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const { session } = app.server.admin;
    await app.server.db`delete from spoken_languages`;
    await app.server.db`delete from user_settings`;
    engines.mistakenFor = 'zh';
    recorder = await addRecorder(session);
    clipID = await recorder.add(makeSound([], 8));
    await captionOf(session, clipID);
  });

  const caption = () => app.server.admin.session.getCaption({ params: { captionID: clipID } });

  test('a newcomer is asked once, and the answer confirms the recording', async () => {
    const page = await app.open(`/clips/${clipID}`);
    const question = page.getByRole('region', { name: 'Which languages are spoken here?' });
    await question.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'English' }).click();
    await page.locator('.word', { hasText: 'three' }).waitFor();
    await question.waitFor({ state: 'detached' });
    expect(await app.server.admin.session.getInstallationLanguages()).toMatchObject({ languages: ['en'] });
    expect(await caption()).toMatchObject({ transcript: 'one two three four. five six seven eight.' });
    // Without an answer it does not come back either.
    await app.server.db`delete from spoken_languages`;
    const next = await recorder.add(makeSound([], 4));
    await captionOf(app.server.admin.session, next);
    await page.goto(`/clips/${next}`);
    await page.locator('.unconfirmed').waitFor();
    expect(await question.count()).toBe(0);
    await page.context().close();
  });

  test('words in doubt are readable, and are confirmed by a click or a key', async () => {
    const page = await app.open(`/clips/${clipID}`);
    await page.getByRole('button', { name: 'Do not ask again' }).click();
    await page.getByText('The language of 2 lines is in doubt.').waitFor();
    expect(await page.locator('.unconfirmed').allTextContents()).toEqual([
      'one two three four.',
      'five six seven eight.',
    ]);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Confirm: five six seven eight.' }).click();
    await page.locator('.word', { hasText: 'seven' }).waitFor();
    expect(await caption()).toMatchObject({ transcript: 'five six seven eight.' });
    await page.getByText('The language of 1 line is in doubt.').waitFor();
    await page.keyboard.press('c');
    await page.locator('.word', { hasText: 'three' }).waitFor();
    expect(await caption()).toMatchObject({ transcript: 'one two three four. five six seven eight.' });
    await page.context().close();
  });

  test('languages are set for a device, a collection and the installation', async () => {
    const { session } = app.server.admin;
    const { key: collectionID = 0 } = await session.createCollection({ body: { collectionName: 'Quay' } });
    await session.addCollectionItem({
      params: { collectionItemID: collectionID },
      body: { itemType: 'device', itemID: recorder.deviceID },
    });
    const page = await app.open('/settings', { isStill: true });
    const section = page.getByRole('region', { name: /^Spoken languages/ });
    const add = async (...names: string[]) => {
      await section.getByRole('button', { name: 'Set languages' }).click();
      const dialog = page.getByRole('dialog', { name: 'Spoken languages' });
      for (const name of names) {
        await dialog.getByLabel('Add a language').fill(name);
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await dialog.getByRole('button', { name: `Remove ${name}` }).waitFor();
      }
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await section.getByText('Any language').waitFor();
    await add('German');
    await section.getByText('German').waitFor();
    await page.goto(`/devices/${recorder.deviceID}?tab=settings`);
    await section.getByText('Set for the whole installation.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`/collections/${collectionID}?tab=words`);
    await add('English', 'Spanish');
    await section.getByText('English and Spanish').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`/devices/${recorder.deviceID}?tab=settings`);
    await section.getByText('Set for its collections.').waitFor();
    await add('English');
    await section.getByText('No speech is taken for another language.').waitFor();
    const { deviceID } = recorder;
    expect(await session.getDeviceLanguages({ params: { deviceID } })).toMatchObject({ languages: ['en'] });
    await page.context().close();
    expect(app.faults).toEqual([]);
  });
});
