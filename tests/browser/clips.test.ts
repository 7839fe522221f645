import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soundBytes, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

const hostileName = '<img src=x onerror=alert(1)>';
const now = Math.floor(Date.now() / 1_000);

describe('clips in the console', needs('chromium'), () => {
  let app: Console;
  let agent: Client;
  beforeAll(async () => {
    app = await startConsole();
    agent = (await app.server.admin.withKey()).client;
  });
  afterAll(() => app.stop());

  async function addDevice(deviceSerial: string, deviceName = deviceSerial): Promise<number> {
    const body = { deviceSerial, deviceName, autoCaption: false };
    return (await agent.createDevice({ body })).key ?? 0;
  }
  const announce = async (deviceSerial: string, ...startTimes: number[]) =>
    (
      await agent.announceAudioClips({
        params: { deviceSerial },
        body: startTimes.map((startTime) => ({ startTime, clipLengthInSeconds: 2 })),
      })
    ).map(({ key = 0 }) => key);
  const putSound = (audioClipID: number) =>
    agent.putAudioClipContent({ params: { audioClipID }, body: tinyWav(2, 440) });
  const rowOf = (page: Page, clip: number | undefined) => page.locator(`[data-clip="${clip}"]`);
  const check = (page: Page, clip: number | undefined) => rowOf(page, clip).getByRole('checkbox').check();

  test('are filtered by device, time, state and tag; the address has the filter, and a new matching clip appears', async () => {
    const deviceID = await addDevice('gate', hostileName);
    await addDevice('mole');
    const [old, recent] = await announce('gate', now - 90_000, now - 600);
    const [other] = await announce('mole', now - 300);
    await agent.createAudioClipTag({ params: { audioClipID: recent ?? 0 }, body: { tagName: 'owl' } });
    const page = await app.open('/clips');
    await rowOf(page, other).waitFor();

    await page.getByLabel('Device', { exact: true }).selectOption({ label: hostileName });
    await rowOf(page, other).waitFor({ state: 'detached' });
    await page.getByLabel('When', { exact: true }).selectOption({ label: 'Last hour' });
    await rowOf(page, old).waitFor({ state: 'detached' });
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'On the device' });
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('device') === String(deviceID) && searchParams.get('status') === '0',
    );
    await rowOf(page, recent).getByText('owl').waitFor();

    const [arrived] = await announce('gate', now - 60);
    await rowOf(page, arrived).waitFor();
    await putSound(arrived ?? 0);
    await rowOf(page, arrived).waitFor({ state: 'detached' });

    await page.reload();
    await rowOf(page, recent).waitFor();
    expect(await page.locator('.clip-row').count()).toBe(1);
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'owl' });
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'Upload failed' });
    await page.getByText('No matching clips').waitFor();
    await page.getByRole('button', { name: 'Show all clips' }).click();
    await rowOf(page, other).waitFor();
    await page.context().close();
  });

  test.each([
    ['a wide screen', wide, 'field-wide'],
    ['a phone', phone, 'field-phone'],
  ])(
    'on %s: an upload is requested and completes, and the audio is exported and downloaded',
    async (_name, size, serial) => {
      const deviceID = await addDevice(serial);
      const [first, second, third] = await announce(serial, now - 30, now - 20, now - 10);
      await putSound(third ?? 0);
      const page = await app.open(`/clips?device=${deviceID}`, { size });
      await check(page, first);
      await check(page, second);
      await page.getByRole('button', { name: 'Request upload' }).click();
      await rowOf(page, first).getByText('Upload requested').waitFor();

      await agent.registerAgent({ body: { deviceSerial: serial, agentType: 'Transfer', processID: 1 } });
      const work = await agent.dequeueEvent({ body: { deviceSerial: serial, agentType: 'Transfer', processID: 1 } });
      expect(JSON.parse(work?.eventParameters ?? '{}')).toMatchObject({
        audioClips: expect.arrayContaining([first, second]),
      });
      await putSound(first ?? 0);
      await rowOf(page, first).locator('.clip-wave').waitFor();

      await check(page, third);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByText('1 clip without available audio').waitFor();
      await page.getByLabel('Gaps between clips').selectOption('close');
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
      const link = page.getByRole('link', { name: 'Download' });
      await link.waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const bytes = await readFile(await download.path());
      expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
      // Two clips of two seconds, without the gap of ten seconds.
      expect(soundBytes(bytes)).toBe(2 * 2 * 16_000);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.context().close();
    },
  );

  test('several are tagged and untagged by Undo; deleted clips are restored by Undo, or deleted', async () => {
    const deviceID = await addDevice('bulk');
    const [first, second] = await announce('bulk', now - 40, now - 20);
    const page = await app.open(`/clips?device=${deviceID}`);
    await page.getByLabel('Select all loaded clips').check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByLabel('Tag', { exact: true }).last().fill('night train');
    await page.getByRole('dialog').getByRole('button', { name: 'Tag' }).click();
    await rowOf(page, first).getByText('night train').waitFor();
    await rowOf(page, second).getByText('night train').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, second).getByText('night train').waitFor({ state: 'detached' });
    expect(await agent.listAudioClipTags({ params: { audioClipID: first ?? 0 } })).toEqual([]);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, first).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, first).waitFor();
    await check(page, first);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, first).waitFor({ state: 'detached' });
    // A deferred action is sent when the page unloads.
    await page.goto('/settings');
    await expect.poll(() => agent.listAudioClips({ body: { deviceID } })).toMatchObject([{ key: second }]);
    await page.context().close();
  });

  test('a long list is loaded while scrolling, and only visible rows are rendered', async () => {
    const deviceID = await addDevice('long');
    const starts = Array.from({ length: 450 }, (_, index) => now - 100_000 - 10 * index);
    const keys = await announce('long', ...starts);
    const page = await app.open(`/clips?device=${deviceID}`);
    await rowOf(page, keys[0]).waitFor();
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return rowOf(page, keys.at(-1)).count();
      })
      .toBe(1);
    expect(await page.locator('.clip-row').count()).toBeLessThan(100);
    await page.getByText('450 clips loaded').waitFor();

    // The scroll position stays when clips are added above and when the list is reloaded.
    await page.evaluate(() => scrollBy(0, -5_000));
    const readRow = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll<HTMLElement>('.clip-row')];
        const tops = rows.map((row) => ({ clip: Number(row.dataset['clip']), top: row.getBoundingClientRect().top }));
        return tops.find(({ top }) => top > 200 && top < innerHeight / 2);
      });
    await expect.poll(readRow).toBeDefined();
    const read = (await readRow())!;
    const topOf = async () => (await rowOf(page, read.clip).boundingBox())?.y;
    await announce('long', now - 5, now - 20);
    await page.getByText('452 clips loaded').waitFor();
    expect(await topOf()).toBeCloseTo(read.top, 0);
    const pages: string[] = [];
    page.on('requestfinished', (request) => request.url().includes('/audioclip/list') && pages.push(request.url()));
    await agent.createCollection({ body: { collectionName: 'Long' } });
    await expect.poll(() => pages.length).toBeGreaterThanOrEqual(3);
    await page.getByText('452 clips loaded').waitFor();
    expect(await topOf()).toBeCloseTo(read.top, 0);
    await page.context().close();
  });

  test('300 clips of 300 devices that start in the same second are all listed, in any state', async () => {
    const serials = Array.from({ length: 300 }, (_, index) => `same-${index}`);
    const at = now - 500_000;
    const keys: number[] = [];
    for (let first = 0; first < serials.length; first += 20) {
      const some = serials.slice(first, first + 20).map(async (serial) => {
        await addDevice(serial);
        keys.push(...(await announce(serial, at)));
      });
      await Promise.all(some);
    }
    keys.sort((a, b) => a - b);
    const to = new Date((at + 1) * 1_000).toISOString().slice(0, 19);
    const from = new Date(at * 1_000).toISOString().slice(0, 19);
    const range = `when=between&from=${from}Z&to=${to}Z`;
    const page = await app.open(`/clips?${range}`);
    const scrollTo = async (clip: number | undefined, top: () => number) =>
      expect
        .poll(async () => {
          await page.evaluate(`scrollTo(0, (${top.toString()})())`);
          return rowOf(page, clip).count();
        })
        .toBe(1);
    await rowOf(page, keys.at(-1)).waitFor();
    await scrollTo(keys[0], () => document.documentElement.scrollHeight);
    await page.getByText('300 clips loaded').waitFor();
    await scrollTo(keys.at(-1), () => 0);

    // One more clip in that second, then the list is reloaded.
    await addDevice('same-late');
    const [late] = await announce('same-late', at);
    await page.getByText('301 clips loaded').waitFor();
    await scrollTo(late, () => 0);
    await agent.createCollection({ body: { collectionName: 'Same' } });
    await page.waitForResponse((response) => response.url().includes('/audioclip/list/page'));
    await page.getByText('301 clips loaded').waitFor();

    await putSound(keys[3] ?? 0);
    await page.goto(`/clips?${range}&status=3`);
    await rowOf(page, keys[3]).waitFor();
    await page.getByText('1 clip loaded').waitFor();
    await page.context().close();
  });

  test('previous and next clip work within one second', async () => {
    await addDevice('quick');
    const body = [100, 400, 700].map((startTimeMs) => ({ startTime: now - 700_000, startTimeMs }));
    const clips = await agent.announceAudioClips({ params: { deviceSerial: 'quick' }, body });
    const [first, middle, last] = clips.map(({ key = 0 }) => key);
    for (const clip of [first, middle, last]) await putSound(clip ?? 0);
    const page = await app.open(`/clips/${middle}`);
    await page.getByRole('button', { name: 'Previous clip' }).click();
    await page.waitForURL(({ pathname }) => pathname === `/clips/${first}`);
    await page.getByRole('button', { name: 'Next clip' }).click();
    await page.waitForURL(({ pathname }) => pathname === `/clips/${middle}`);
    await page.getByRole('button', { name: 'Next clip' }).click();
    await page.waitForURL(({ pathname }) => pathname === `/clips/${last}`);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
