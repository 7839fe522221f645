import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { needs } from '@earshot/server/testing/needs';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone } from './screens.ts';

const clipSeconds = 60;
const start = Math.floor(Date.now() / 60_000) * 60 - 7_200;

/** Notes each audio element, and what the page tells the system. */
const noteSounds = `(() => {
  const Original = Audio;
  window.sounds = [];
  window.handlers = {};
  window.Audio = function (src) { const made = new Original(src); window.sounds.push(made); return made; };
  navigator.mediaSession.setActionHandler = (name, handler) => { window.handlers[name] = handler; };
})()`;

describe('the player of the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let clips: readonly number[];
  beforeAll(async () => {
    app = await startConsole({}, undefined, ['--autoplay-policy=no-user-gesture-required']);
    client = app.server.admin.session;
    await client.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false } });
    const announced = await client.announceAudioClips({
      params: { deviceSerial: 'gate' },
      body: [0, 1, 2].map((at) => ({ startTime: start + at * clipSeconds, clipLengthInSeconds: clipSeconds })),
    });
    clips = announced.map(({ key = 0 }) => key);
    for (const audioClipID of clips) {
      await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(clipSeconds) });
    }
  });
  afterAll(() => app.stop());

  const bar = (page: Page) => page.getByRole('region', { name: 'Player' });
  /** Opens the list of clips, oldest first, and plays the clip of the middle. */
  async function openAndPlay(size?: typeof phone): Promise<Page> {
    const page = await app.open('/settings', size ? { size } : {});
    await page.addInitScript(noteSounds);
    await page.goto('/clips?order=asc');
    await page.locator('.clip-row').nth(1).getByRole('button', { name: /^Play/ }).click();
    await bar(page).waitFor();
    return page;
  }
  /** Clips that play now, with their position. */
  const playing = (page: Page) =>
    page.evaluate(() =>
      (window as unknown as { sounds: HTMLAudioElement[] }).sounds
        .filter((sound) => !sound.paused)
        .map((sound) => ({
          clipID: Number(/audioclip\/(\d+)/.exec(sound.src)?.[1]),
          seconds: sound.currentTime,
          rate: sound.playbackRate,
          keepsPitch: sound.preservesPitch,
        })),
    );
  const playedClips = async (page: Page) => (await playing(page)).map(({ clipID }) => clipID);
  const system = (page: Page, action: string, details: object = {}) =>
    page.evaluate(
      ([name, given]) =>
        (window as unknown as { handlers: Record<string, (details: object) => void> }).handlers[name]?.(given),
      [action, details] as const,
    );

  test.each([
    ['a wide screen', undefined],
    ['a phone', phone],
  ])('on %s the sound goes on when its page is left, and the bar goes along', async (_name, size) => {
    const page = await openAndPlay(size);
    const before = (await playing(page))[0]?.seconds ?? 0;
    for (const key of ['d', 'o', 'e']) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await bar(page).getByText('North gate').waitFor();
    }
    await expect.poll(async () => (await playing(page))[0]?.seconds ?? 0).toBeGreaterThan(before + 0.2);
    expect(await playedClips(page)).toEqual([clips[1]]);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await bar(page).getByRole('button', { name: 'Pause the sound' }).click();
    await expect.poll(() => playedClips(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Play the sound' }).click();
    await expect.poll(() => playedClips(page)).toEqual([clips[1]]);
    // The page of the clip has the larger player, and the same sound.
    await bar(page).getByRole('link').click();
    await page.waitForURL(`**/clips/${clips[1]}`);
    await page.locator('.player.card').waitFor();
    expect(await page.locator('.player-bar').count()).toBe(0);
    expect(await playedClips(page)).toEqual([clips[1]]);
    await page.goBack();
    await bar(page).getByRole('button', { name: 'Close the player' }).click();
    await bar(page).waitFor({ state: 'detached' });
    expect(await playedClips(page)).toEqual([]);
    await page.context().close();
  });

  test('previous, next and seek, by the bar and by the system, follow the list where playback began', async () => {
    const page = await openAndPlay();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await bar(page).getByRole('button', { name: 'Next clip' }).click();
    await expect.poll(() => playedClips(page)).toEqual([clips[2]]);
    expect(await bar(page).getByRole('button', { name: 'Next clip' }).getAttribute('aria-disabled')).toBe('true');
    await system(page, 'previoustrack');
    await expect.poll(() => playedClips(page)).toEqual([clips[1]]);
    await system(page, 'previoustrack');
    await expect.poll(() => playedClips(page)).toEqual([clips[0]]);
    await system(page, 'seekto', { seekTime: 30 });
    await expect.poll(async () => (await playing(page))[0]?.seconds ?? 0).toBeGreaterThan(29);
    await bar(page).getByRole('slider', { name: 'Position in the clip' }).press('ArrowRight');
    await expect.poll(async () => (await playing(page))[0]?.seconds ?? 0).toBeGreaterThan(34);
    expect(await page.evaluate('navigator.mediaSession.metadata.title')).toBe('North gate');
    await system(page, 'pause');
    await expect.poll(() => playedClips(page)).toEqual([]);
    await page.context().close();
  });

  test('speed keeps the pitch and loudness the sound, also for the next clip', async () => {
    const page = await openAndPlay();
    await bar(page).getByRole('combobox', { name: 'Speed' }).selectOption('2');
    await bar(page).getByRole('combobox', { name: 'Loudness' }).selectOption('4');
    await bar(page).getByRole('button', { name: 'Next clip' }).click();
    await expect.poll(() => playedClips(page)).toEqual([clips[2]]);
    await expect.poll(async () => (await playing(page))[0]).toMatchObject({ rate: 2, keepsPitch: true });
    const { seconds = 0 } = (await playing(page))[0] ?? {};
    await expect.poll(async () => (await playing(page))[0]?.seconds ?? 0).toBeGreaterThan(seconds + 0.2);
    await page.context().close();
  });

  test('one sound at a time, also in another tab', async () => {
    const page = await openAndPlay();
    const other = await page.context().newPage();
    await other.addInitScript(noteSounds);
    await other.goto('/clips?order=asc');
    await other.locator('.clip-row').first().getByRole('button', { name: /^Play/ }).click();
    await expect.poll(() => playedClips(other)).toEqual([clips[0]]);
    await expect.poll(() => playedClips(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Play the sound' }).click();
    await expect.poll(() => playedClips(page)).toEqual([clips[1]]);
    await expect.poll(() => playedClips(other)).toEqual([]);
    await page.context().close();
  });

  test('a clip that was opened and never played leaves nothing behind', async () => {
    const page = await app.open(`/clips/${clips[0]}`);
    await page.locator('.player.card').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    expect(await page.locator('.player-bar').count()).toBe(0);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
