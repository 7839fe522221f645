import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { noBrowser } from './browser.ts';
import { type Console, startConsole } from './console.ts';
import { phone, wide } from './screens.ts';
import { uploadFolder } from './upload-folder.ts';

/** The long test has a thousand. */
const manyFiles = 60;

describe.skipIf(noBrowser !== undefined)('recordings are added in the browser', () => {
  let app: Console;
  let folder: string;
  beforeAll(async () => {
    app = await startConsole({ captions: realEngine }, createTestEars());
    folder = await mkdtemp(join(tmpdir(), 'earshot-recordings-'));
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => expect(app.faults.splice(0)).toEqual([]));

  /** Drops files made in the page, as a person drops them from a file manager. */
  async function drop(page: Page, files: readonly { readonly name: string; readonly sound: Uint8Array }[]) {
    const data = await page.evaluateHandle(
      (sent) => {
        const transfer = new DataTransfer();
        for (const { name, bytes } of sent) transfer.items.add(new File([new Uint8Array(bytes)], name));
        return transfer;
      },
      files.map(({ name, sound }) => ({ name, bytes: [...sound] })),
    );
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.dispatchEvent('body', type, { dataTransfer: data });
  }

  test.each([
    ['a wide screen', wide, 3.2],
    ['a phone', phone, 3.4],
  ])('on %s: a dropped file is uploaded, heard and found by its words', async (_name, size, seconds) => {
    const person = await app.server.addPerson();
    const page = await app.open('/devices', { size, email: person.email, password: 'a password for tests' });
    await page.getByText('No devices yet').waitFor();
    await drop(page, [
      { name: '20260503_040506.WAV', sound: tinyWav(seconds) },
      { name: 'CONFIG.TXT', sound: new Uint8Array(3) },
    ]);
    await page.getByRole('heading', { name: 'Add recordings' }).waitFor();
    await page.getByText('1 file left out: not sound.').waitFor();
    await page.getByText('from the name').waitFor();
    await page.getByLabel('Name of the new device').fill('Garden');
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.getByText('one two three').waitFor();
    await page.getByRole('link', { name: 'Listen to 20260503_040506.WAV' }).click();
    await page.getByRole('heading', { name: 'Garden' }).waitFor();
    await page.goto('/search?q=two');
    await page.locator('mark', { hasText: 'two' }).first().waitFor();
    const [clip] = (await person.session.listAudioClipPage({ body: {} })).results;
    const zone = await page.evaluate(() => new Date(2026, 4, 3, 4, 5, 6).getTime());
    expect((clip?.startTime ?? 0) * 1_000).toBe(zone);
    await page.context().close();
  });

  test('a start is corrected, equal sound of another start arrives too, and what is no sound says so', async () => {
    const person = await app.server.addPerson();
    const page = await app.open('/upload', { email: person.email, password: 'a password for tests' });
    await drop(page, [
      { name: 'first.wav', sound: tinyWav(2.2) },
      { name: 'copy.wav', sound: tinyWav(2.2) },
      { name: 'noise.wav', sound: new TextEncoder().encode('this is no sound') },
    ]);
    await page.getByRole('button', { name: 'Upload 3 files' }).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'first.wav' });
    await row.getByRole('button').first().click();
    await page.getByLabel('The recording began').fill('2024-02-03T04:05:06');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('set by you').waitFor();
    await page.getByRole('button', { name: 'Upload 3 files' }).click();
    await row.getByText('one two').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'noise.wav' }).getByText('Failed', { exact: true }).waitFor();
    await page.getByText('2 of 3 files uploaded').waitFor();
    const clips = (await person.session.listAudioClipPage({ body: {} })).results;
    expect(clips.map(({ title }) => title).toSorted()).toEqual(['copy', 'first']);
    const first = clips.find(({ title }) => title === 'first');
    expect(first?.startTime).toBe(await page.evaluate(() => new Date(2024, 1, 3, 4, 5, 6).getTime() / 1_000));
    await page.context().close();
  });

  test('the same recording is not sent twice, and its row says why', async () => {
    const person = await app.server.addPerson();
    const page = await app.open('/upload', { email: person.email, password: 'a password for tests' });
    const sound = tinyWav(2.3);
    await drop(page, [
      { name: '20240203_040506.WAV', sound },
      { name: 'copy of 20240203_040506.WAV', sound },
      { name: '20240203_040507.WAV', sound },
    ]);
    await page.getByRole('button', { name: 'Upload 3 files' }).click();
    await page.getByText('3 of 3 files uploaded').waitFor();
    await page.getByText('Already in this list as 20240203_040506.WAV: same device, start and sound').waitFor();
    expect((await person.session.listAudioClipPage({ body: {} })).results).toHaveLength(2);
    await page.context().close();
  });

  test(`a folder of ${manyFiles} files, with a reload in the middle: each arrives once`, async () => {
    await uploadFolder(app, folder, manyFiles);
  });
});
