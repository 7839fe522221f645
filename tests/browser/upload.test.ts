import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personPassword } from '@earshot/server/testing/person';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { intercept } from './intercept.ts';
import { phone, wide } from './screens.ts';
import { uploadFolder } from './upload-folder.ts';

const faultsOf = async (page: Page) => [...(await violationsOf(page)), ...(await overEdge(page))];

/** The long test has a thousand. */
const manyFiles = 60;

describe('recordings are added in the browser', needs('chromium'), () => {
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

  interface DroppedFile {
    readonly name: string;
    readonly sound: Uint8Array;
    /** Its own date, which is its start if nothing else tells it. */
    readonly lastModified?: number;
  }

  /** Drops files made in the page, as a person drops them from a file manager. */
  async function drop(page: Page, files: readonly DroppedFile[]) {
    const data = await page.evaluateHandle(
      (sent) => {
        const transfer = new DataTransfer();
        for (const { name, bytes, lastModified } of sent) {
          transfer.items.add(new File([new Uint8Array(bytes)], name, { lastModified }));
        }
        return transfer;
      },
      files.map(({ name, sound, lastModified = 1_780_000_000_000 }) => ({ name, bytes: [...sound], lastModified })),
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
    await page.getByText('1 file left out: not sound', { exact: true }).click();
    await page.getByText('CONFIG.TXT').waitFor();
    await page.getByText('from the name').waitFor();
    await page.getByRole('button', { name: '(yours)' }).click();
    await page.getByText('Waits for the device').waitFor();
    await page.getByLabel('Name of the new device').fill('Garden');
    await page.getByRole('button', { name: 'Create device' }).click();
    await page.getByText('one two three').waitFor();
    await page.getByRole('link', { name: 'Listen to 20260503_040506.WAV' }).click();
    await page.getByRole('heading', { level: 1, name: '20260503_040506' }).waitFor();
    await page.getByRole('link', { name: 'Garden' }).waitFor();
    await page.goto('/search?q=two');
    await page.locator('mark', { hasText: 'two' }).first().waitFor();
    const [clip] = (await person.session.listAudioClipPage({ body: {} })).results;
    const zone = await page.evaluate(() => new Date(2026, 4, 3, 4, 5, 6).getTime());
    expect((clip?.startTime ?? 0) * 1_000).toBe(zone);
    await page.context().close();
  });

  /** A person with devices, none of them used for an upload before. */
  async function personWith(...names: readonly string[]) {
    const person = await app.server.addPerson();
    const keys: number[] = [];
    for (const deviceName of names) {
      const body = { deviceSerial: `${deviceName}-${person.userID}`.replaceAll(' ', '-'), deviceName };
      keys.push((await person.session.createDevice({ body })).key ?? 0);
    }
    const clips = async () =>
      (await person.session.listAudioClipPage({ body: { count: 100 } })).results.map(({ key, deviceID }) => ({
        key,
        deviceID,
      }));
    const open = (size = wide) =>
      app.open('/upload', { size, email: person.email, password: personPassword, isStill: true });
    return { ...person, keys, clips, open };
  }

  const recording = (name: string, mark: number) => {
    const sound = tinyWav(0.2);
    sound.set([mark % 256, Math.floor(mark / 256)], sound.length - 2);
    return { name, sound, lastModified: 1_780_000_000_000 + mark * 10_000 };
  };
  const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
  async function pickDevice(page: Page, name: string) {
    await page.getByRole('button', { name: /^Recorded by/ }).click();
    await page.getByRole('button', { name, exact: true }).click();
  }

  test('what has a zone is sent at once to the only device; one question holds the others', async () => {
    const person = await personWith('North gate');
    const page = await person.open();
    await drop(page, [
      recording('dated.wav', 1),
      recording('20260503_040506.wav', 2),
      recording('20260503_050506.wav', 3),
    ]);
    await page.getByText('Uploaded 1 file to North gate, 2 waiting for the time zone').waitFor();
    await page.getByText('2 files name a time without a time zone.').waitFor();
    await rowOf(page, '20260503_040506.wav').getByText('Waits for the time zone').waitFor();
    expect(await person.clips()).toHaveLength(1);
    await page.getByRole('button', { name: 'Time zone of the recorder' }).click();
    await page.getByRole('searchbox', { name: 'Find in Time zone of the recorder' }).fill('Auckland');
    await page.getByRole('button', { name: 'Pacific/Auckland' }).click();
    await page.getByText('3 of 3 files uploaded').waitFor();
    const { results } = await person.session.listAudioClipPage({ body: { endEpoch: 1_777_800_000 } });
    const starts = results.map(({ startTime = 0 }) => new Date(startTime * 1_000).toISOString());
    expect(starts.toSorted()).toEqual(['2026-05-02T16:05:06.000Z', '2026-05-02T17:05:06.000Z']);
    await page.context().close();
  });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])(
    'on %s: undo removes the clips of the batch and no others; the files go to another device',
    async (_name, size) => {
      const person = await personWith('North gate', 'South gate');
      const [north = 0, south = 0] = person.keys;
      const page = await person.open(size);
      await drop(page, [recording('was-there.wav', 1)]);
      await pickDevice(page, 'North gate');
      await page.getByText('1 of 1 file uploaded').waitFor();
      const before = await person.clips();
      expect(before).toEqual([{ key: expect.any(Number), deviceID: north }]);
      await page.getByRole('button', { name: 'Clear finished' }).click();

      // The remembered device is used without a question.
      const names = Array.from({ length: 8 }, (_, index) => `new-${index}.wav`);
      await drop(page, [recording('was-there.wav', 1), ...names.map((name, index) => recording(name, index + 2))]);
      await page.getByText('9 of 9 files uploaded, 1 of them already there').waitFor();
      await page.getByText('The server has this recording: same device, same start, same sound.').waitFor();
      expect(await person.clips()).toHaveLength(9);
      expect(await faultsOf(page)).toEqual([]);

      await page.getByRole('button', { name: 'Undo' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('8 recordings that it has already stored').waitFor();
      await dialog.getByText('1 recording that the server had before will not be deleted.').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await page.keyboard.press('Escape');
      expect(await person.clips()).toHaveLength(9);
      await page.getByRole('button', { name: 'Undo' }).click();
      await dialog.getByRole('button', { name: 'Undo and delete' }).click();
      await page.getByText('Upload undone, 8 recordings deleted.').waitFor();
      expect(await violationsOf(page, '.toasts')).toEqual([]);
      expect(await person.clips()).toEqual(before);

      await page.getByText('Choose the right device. The files are then uploaded again.').waitFor();
      await pickDevice(page, 'South gate');
      await page.getByText('Uploaded 9 files to South gate').waitFor();
      const after = await person.clips();
      expect(after.filter(({ deviceID }) => deviceID === north)).toEqual(before);
      expect(after.filter(({ deviceID }) => deviceID === south)).toHaveLength(9);
      await page.context().close();
    },
  );

  test('undo in the middle of the upload leaves nothing of it on the server', async () => {
    const person = await personWith('North gate');
    const page = await person.open();
    // Slow enough to be stopped in the middle.
    await intercept(page, '**/v1/upload/*', async (route) => {
      if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue().catch(() => undefined);
    });
    await drop(
      page,
      Array.from({ length: 12 }, (_, index) => recording(`${index}.wav`, index)),
    );
    await page.getByText('Uploading 12 files to North gate').waitFor();
    await page.getByText(/^[1-9] of 12 files uploaded/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo and delete' }).click();
    await page.getByText(/^Upload undone/).waitFor();
    expect(await person.clips()).toEqual([]);
    const open = await app.server.db`
      select 1 from uploads u join devices d on d.key = u.device_id where d.user_id = ${person.userID}
        and u.audio_clip_id is null`;
    expect(open).toHaveLength(0);
    await expect.poll(() => page.getByText('Waits for the device').count()).toBe(12);
    await page.getByRole('button', { name: 'Remove waiting files' }).click();
    await page.getByText('0.wav', { exact: true }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a clip that cannot be removed is named, and undo can be repeated', async () => {
    const person = await personWith('North gate');
    const page = await person.open();
    await drop(page, [recording('a.wav', 1), recording('b.wav', 2)]);
    await page.getByText('2 of 2 files uploaded').waitFor();
    let isRefused = false;
    await intercept(page, '**/v1/audioclip/*', async (route) => {
      if (route.request().method() !== 'DELETE' || isRefused) return route.continue();
      isRefused = true;
      return route.fulfill({ status: 503, contentType: 'text/plain', body: 'busy' });
    });
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('button', { name: 'Undo and delete' }).click();
    };
    await undo();
    await page.getByText('1 file could not be undone').waitFor();
    await page.getByText(/^Not undone: /).waitFor();
    expect(await person.clips()).toHaveLength(1);
    await undo();
    await page.getByText('Upload undone, 1 recording deleted.').waitFor();
    expect(await person.clips()).toEqual([]);
    await page.context().close();
  });

  test('a start is corrected before the upload, and what is no sound says so', async () => {
    const person = await personWith('North gate', 'South gate');
    const page = await person.open();
    await drop(page, [
      { name: 'first.wav', sound: tinyWav(2.2) },
      { name: 'noise.wav', sound: new TextEncoder().encode('this is no sound') },
    ]);
    const row = rowOf(page, 'first.wav');
    await row.getByText('Waits for the device').waitFor();
    await row.getByRole('button').first().click();
    await page.getByLabel('The recording began').fill('2024-02-03T04:05:06');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('set by you').waitFor();
    await pickDevice(page, 'North gate');
    await row.getByText('one two').waitFor();
    await rowOf(page, 'noise.wav').getByText('Failed', { exact: true }).waitFor();
    await page.getByText('1 of 2 files uploaded').waitFor();
    const clips = (await person.session.listAudioClipPage({ body: {} })).results;
    expect(clips).toHaveLength(1);
    expect(clips[0]?.startTime).toBe(await page.evaluate(() => new Date(2024, 1, 3, 4, 5, 6).getTime() / 1_000));
    await page.context().close();
  });

  test('equal sound of other starts is another recording; a copy of the same start is skipped by name', async () => {
    const person = await personWith('North gate');
    const page = await person.open();
    const sound = tinyWav(0.2);
    const silent = [1, 2, 3].map((hour) => ({
      name: `${hour}.wav`,
      sound,
      lastModified: 1_780_000_000_000 + hour * 3_600_000,
    }));
    await drop(page, [...silent, { ...silent[0]!, name: 'copy of 1.wav' }]);
    await page.getByText('4 of 4 files uploaded, 1 of them already there').waitFor();
    expect(await person.clips()).toHaveLength(3);
    await page.context().close();
  });

  test(`a folder of ${manyFiles} files, with a reload in the middle: each arrives once`, async () => {
    await uploadFolder(app, folder, manyFiles);
  });
});
