import { readFile } from 'node:fs/promises';
import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soundBytes, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

const clipSeconds = 30;
/** An hour ago, at a round minute. */
const start = Math.floor(Date.now() / 60_000) * 60 - 3_600;

describe('the timeline in the console', needs('chromium'), () => {
  let app: Console;
  let agent: Client;
  beforeAll(async () => {
    app = await startConsole();
    agent = (await app.server.admin.withKey()).client;
  });
  afterAll(() => app.stop());

  /** Four adjacent clips; the audio of the last two is available. */
  async function addRecorder(deviceSerial: string): Promise<{ deviceID: number; clips: readonly number[] }> {
    const body = { deviceSerial, autoCaption: false, timeZone: 'Asia/Kolkata' };
    const { key: deviceID = 0 } = await agent.createDevice({ body });
    const announced = await agent.announceAudioClips({
      params: { deviceSerial },
      body: [0, 1, 2, 3].map((index) => ({
        startTime: start + index * clipSeconds,
        clipLengthInSeconds: clipSeconds,
      })),
    });
    const clips = announced.map(({ key = 0 }) => key);
    for (const audioClipID of clips.slice(2)) {
      await agent.putAudioClipContent({ params: { audioClipID }, body: tinyWav(clipSeconds) });
    }
    return { deviceID, clips };
  }
  const press = async (page: Page, key: string, times: number) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
  };
  /** The cursor starts at the newest clip; at this zoom an arrow key moves five seconds. */
  const goThere = async (page: Page) => {
    await page.getByText('4 clips', { exact: true }).waitFor();
    await page.getByRole('application').focus();
    await press(page, '+', 10);
  };

  /** Number of level bars: runs of their colour on a line above the middle of the band. */
  const drawnLevels = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.timeline-stage canvas')!;
      // A canvas converts short forms such as #fff to #ffffff.
      const colours = document.createElement('canvas').getContext('2d')!;
      colours.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--on-accent').trim();
      const ink = colours.fillStyle;
      const wanted = [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16));
      const { data } = canvas.getContext('2d')!.getImageData(0, 85, canvas.width, 1);
      const isInk = (x: number) => wanted.every((part, at) => Math.abs(data[4 * x + at]! - part) < 70);
      let runs = 0;
      for (let x = 1; x < canvas.width; x += 1) if (isInk(x) && !isInk(x - 1)) runs += 1;
      return runs;
    });

  test.each([
    ['a wide screen', wide, 'roof-wide'],
    ['a phone', phone, 'roof-phone'],
  ])('on %s: a range is selected by keyboard, exported and downloaded', async (_name, size, serial) => {
    const { deviceID, clips } = await addRecorder(serial);
    const page = await app.open(`/devices/${deviceID}?tab=timeline`, { size });
    await goThere(page);
    await page.getByText('Available, 30 s clip').first().waitFor();
    await press(page, 'Shift+ArrowLeft', 4);
    await press(page, 'ArrowLeft', 1);
    await page.getByRole('region', { name: 'Selected time' }).waitFor({ state: 'detached' });
    await press(page, 'ArrowRight', 1);
    await press(page, 'Shift+ArrowRight', 5);
    const selected = page.getByRole('region', { name: 'Selected time' });
    await selected.getByText('25 s, 2 clips, 2 available').waitFor();
    expect(await selected.getByRole('link', { name: 'Play' }).getAttribute('href')).toBe(`/clips/${clips[2]}`);
    await selected.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
    expect(soundBytes(bytes)).toBe(25 * 16_000);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.context().close();
  });

  test('describes the clip at the cursor, requests missing uploads, and shows them when they arrive', async () => {
    const { deviceID, clips } = await addRecorder('cellar');
    const page = await app.open(`/devices/${deviceID}?tab=timeline`);
    await goThere(page);
    await press(page, 'ArrowLeft', 8);
    const spoken = page.locator('.timeline-readout [role=status]');
    await spoken.getByText('On the device, 30 s clip').waitFor({ state: 'attached' });
    const coverage = page.getByRole('region', { name: 'Coverage' });
    await coverage.getByText('Recorded, not available').waitFor();
    expect(await coverage.locator('.here dd strong, .away dd strong').allTextContents()).toEqual(['1 min', '1 min']);

    await coverage.getByRole('button', { name: 'Request missing uploads (2)' }).click();
    const seen = page.locator('.timeline-readout > bdi');
    await seen.getByText('Upload requested').waitFor();
    await expect
      .poll(async () => (await agent.getAudioClip({ params: { audioClipID: clips[0] ?? 0 } })).audioClipStatus)
      .toBe(1);
    for (const audioClipID of clips.slice(0, 2)) {
      await agent.putAudioClipContent({ params: { audioClipID }, body: tinyWav(clipSeconds) });
    }
    await agent.createAudioClipTag({ params: { audioClipID: clips[1] ?? 0 }, body: { tagName: 'bell' } });
    await seen.getByText('tags: bell').waitFor();
    await expect.poll(() => coverage.locator('.here dd strong').textContent()).toBe('2 min');
    await page.getByRole('application').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/clips/${clips[1]}`);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)(
    'zoomed in, the level of each available clip is drawn and loaded once; zoomed out nothing is loaded, %s',
    async (theme) => {
      const { deviceID, clips } = await addRecorder(`loud-${theme}`);
      const page = await app.open('/settings', { theme });
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/waveform') && asked.push(request.url()));
      await page.goto(`/devices/${deviceID}?tab=timeline`);
      await page.getByText('4 clips', { exact: true }).waitFor();
      await page.getByRole('application').focus();
      await press(page, '+', 4);
      // No clip is wide enough, so nothing is requested.
      await page.locator('.timeline-view', { hasText: /–/ }).waitFor();
      await page.waitForTimeout(300);
      expect(asked).toEqual([]);
      expect(await page.getByText('Audio level').count()).toBe(0);

      await press(page, '+', 6);
      await page.getByText('Audio level').waitFor();
      await expect.poll(() => drawnLevels(page)).toBeGreaterThan(20);
      await press(page, 'ArrowLeft', 30);
      await press(page, 'ArrowRight', 30);
      const audible = clips.slice(2).map((key) => `/v1/audioclip/${key}/waveform`);
      expect(asked.map((url) => new URL(url).pathname).toSorted()).toEqual(audible);

      // A clip that becomes available is drawn.
      await agent.putAudioClipContent({ params: { audioClipID: clips[1] ?? 0 }, body: tinyWav(clipSeconds) });
      await expect.poll(() => asked.length).toBe(3);
      expect(asked[2]).toContain(`/v1/audioclip/${clips[1]}/waveform`);
      await page.keyboard.press('0');
      await page.getByText('Audio level').waitFor({ state: 'detached' });
      await page.context().close();
    },
  );

  test('shows several devices; the mouse selects in one of them, the wheel zooms', async () => {
    const recorders = [await addRecorder('left'), await addRecorder('right')];
    const page = await app.open(`/timeline?devices=${recorders.map(({ deviceID }) => deviceID).join(',')}`);
    await page.getByText('8 clips', { exact: true }).waitFor();
    const stage = page.getByRole('application', { name: 'Timeline of left, right' });
    const { x = 0, y = 0, width = 0, height = 0 } = (await stage.boundingBox()) ?? {};
    const drag = async () => {
      await page.mouse.move(x + width * 0.3, y + height * 0.9);
      await page.mouse.down();
      await page.mouse.move(x + width, y + height * 0.9, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    const selected = page.getByRole('region', { name: 'Selected time' });
    await selected.getByText('4 clips, 2 available').waitFor();
    await selected.getByText('right').waitFor();
    await selected.getByRole('button', { name: 'Request upload of 2 clips' }).click();
    await page.getByText('Upload of 2 clips requested.').waitFor();
    await expect
      .poll(async () => (await agent.listEvents({ body: { deviceID: recorders[1]?.deviceID ?? 0 } })).length)
      .toBe(1);

    await page.mouse.move(x + width * 0.5, y + height * 0.9);
    await page.mouse.wheel(0, -500);
    await drag();
    await selected.getByText(/^5 h/).waitFor();

    await page.getByRole('button', { name: 'Remove right' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('devices') === String(recorders[0]?.deviceID));
    await page.getByText('4 clips', { exact: true }).waitFor();
    // Yesterday, where the device is, may hold the clips of an hour ago; the day before does not.
    const showDayBefore = async () => {
      const { href } = new URL(page.url());
      await page.getByRole('button', { name: 'Earlier' }).click();
      await page.waitForURL((url) => url.href !== href);
    };
    await showDayBefore();
    await showDayBefore();
    await page.getByText('0 clips', { exact: true }).waitFor();
    await page.context().close();
  });

  test('touch pans and pinches, and selects in selection mode', async () => {
    const { deviceID } = await addRecorder('fingers');
    const page = await app.open(`/devices/${deviceID}?tab=timeline&zone=mine`, { size: phone });
    await page.getByText('4 clips', { exact: true }).waitFor();
    const view = page.locator('.timeline-view');
    const minutes = async () => {
      const [from = 0, to = 0] = [...((await view.textContent()) ?? '').matchAll(/(\d\d):(\d\d)/g)].map(
        ([, hour, minute]) => Number(hour) * 60 + Number(minute),
      );
      return (to - from + 1_440) % 1_440 || 1_440;
    };
    const fingers = await page.context().newCDPSession(page);
    await fingers.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const { x = 0, y = 0, width = 0 } = (await page.getByRole('application').boundingBox()) ?? {};
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: number[]) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: places.map((at, id) => ({ id, x: x + at * width, y: y + 90 })),
      });
    expect(await minutes()).toBe(1_440);
    await touch('touchStart', 0.4, 0.6);
    for (const by of [0.1, 0.2, 0.3]) await touch('touchMove', 0.4 - by, 0.6 + by);
    await touch('touchEnd');
    await expect.poll(minutes).toBeLessThan(500);

    const before = await view.textContent();
    await touch('touchStart', 0.2);
    for (const at of [0.4, 0.6, 0.8]) await touch('touchMove', at);
    await touch('touchEnd');
    await expect.poll(() => view.textContent()).not.toBe(before);
    expect(await page.getByRole('region', { name: 'Selected time' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Select', exact: true }).dispatchEvent('click');
    await touch('touchStart', 0.2);
    for (const at of [0.4, 0.6]) await touch('touchMove', at);
    await touch('touchEnd');
    await page.getByRole('region', { name: 'Selected time' }).waitFor();
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
