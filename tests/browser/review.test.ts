import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { intercept } from './intercept.ts';
import { phone, wide } from './screens.ts';

/** A morning, from six o'clock on, yesterday. */
const begin = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400 + 6 * 3_600;
/** More than one page of the list. */
const clipCount = 260;
/** From the newest: the clips that have sound, and its seconds. What a test stops is long, what ends by itself is short. */
const soundSeconds = new Map([
  [1, 60],
  [3, 1],
  [4, 1],
  [70, 60],
  [150, 60],
]);
/** More than the search shows at first. */
const spokenCount = 45;

describe('a morning of clips is reviewed', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let deviceID: number;
  /** Newest first, as they are listed. */
  let clips: readonly number[];
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const body = { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false };
    deviceID = (await client.createDevice({ body })).key ?? 0;
    const made = await client.announceAudioClips({
      params: { deviceSerial: 'gate' },
      body: Array.from({ length: clipCount }, (_, index) => ({
        startTime: begin + 60 * index,
        clipLengthInSeconds: 60,
      })),
    });
    clips = made.map(({ key = 0 }) => key).toReversed();
    for (const [index, seconds] of soundSeconds) {
      const audioClipID = clips[index] ?? 0;
      await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(seconds, 300 + index) });
      const words = [{ text: `word${index}`, startMs: 200, endMs: 900 }];
      await client.correctCaption({ params: { captionID: audioClipID }, body: { words } });
    }
    for (const captionID of clips.slice(100, 100 + spokenCount)) {
      await client.correctCaption({ params: { captionID }, body: { transcript: 'The harbour is open.' } });
    }
  });
  afterAll(() => app.stop());

  const rowOf = (page: Page, index: number) => page.locator(`[data-clip="${clips[index]}"]`);
  const clipPage = (page: Page) => page.getByRole('heading', { level: 1, name: /North gate/ });
  const press = async (page: Page, key: string, times = 1) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
  };
  /** Notes each clip that is played from now on, also one that ends before anybody looks. */
  const noteCurrent = (page: Page) =>
    page.evaluate(() => {
      const currentClips: number[] = [];
      const note = () => {
        const row = document.querySelector<HTMLElement>('.clip-row.current');
        if (row && Number(row.dataset['clip']) !== currentClips.at(-1)) currentClips.push(Number(row.dataset['clip']));
      };
      note();
      new MutationObserver(note).observe(document.body, { subtree: true, attributes: true, childList: true });
      Object.assign(window, { currentClips });
    });
  const focusedClip = (page: Page) =>
    page.evaluate(() => Number(document.activeElement?.closest<HTMLElement>('.clip-row')?.dataset['clip'] ?? 0));
  const topOf = async (page: Page, index: number) => Math.round((await rowOf(page, index).boundingBox())?.y ?? -1);

  test('by keyboard: move, play, play on, select, tag, open a clip and come back to the same place', async () => {
    const page = await app.open(`/clips?device=${deviceID}`);
    await rowOf(page, 0).waitFor();
    // The row shows the words, and a waveform once it is on the screen.
    await rowOf(page, 1).getByText('word1').waitFor();
    await rowOf(page, 1).locator('canvas[data-drawn]').waitFor();

    await press(page, 'j', 2);
    await expect.poll(() => focusedClip(page)).toBe(clips[1]);
    await press(page, 'k');
    await expect.poll(() => focusedClip(page)).toBe(clips[0]);
    await press(page, 'j');
    await press(page, ' ');
    await rowOf(page, 1).getByRole('button', { name: 'Pause' }).waitFor();
    await press(page, ' ');
    await rowOf(page, 1).getByRole('button', { name: 'Play' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/clips');

    // The next clips with sound follow by themselves; clips without sound are skipped.
    await press(page, 'j', 2);
    await expect.poll(() => focusedClip(page)).toBe(clips[3]);
    await noteCurrent(page);
    await press(page, 'c');
    await press(page, ' ');
    // The last of them is off the screen: its row scrolls into view.
    await rowOf(page, 70).getByRole('button', { name: 'Pause' }).waitFor();
    expect(await page.evaluate('currentClips')).toEqual([3, 4, 70].map((index) => clips[index]));
    expect(await rowOf(page, 70).evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await press(page, 'c');
    await press(page, ' ');

    await press(page, 'x');
    await press(page, 'Shift+J', 2);
    await page.getByText('3 clips selected').waitFor();
    await page.getByRole('button', { name: 'Tag', exact: true }).focus();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('owl');
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const index of [70, 71, 72]) await rowOf(page, index).getByText('owl').waitFor();

    // Deep in the second page.
    await press(page, 'j', 150);
    await expect.poll(() => focusedClip(page)).toBe(clips[222]);
    await page.getByText(`${clipCount} clips loaded`).waitFor();
    const before = await topOf(page, 222);
    await press(page, 'Enter');
    await page.waitForURL(({ pathname }) => pathname === `/clips/${clips[222]}`);
    await clipPage(page).waitFor();
    await page.goBack();
    await expect.poll(() => topOf(page, 222)).toBe(before);
    await page.getByText(`${clipCount} clips loaded`).waitFor();
    await page.getByText('3 clips selected').waitFor();
    await expect.poll(() => focusedClip(page)).toBe(clips[222]);
    await press(page, 'k');
    await expect.poll(() => focusedClip(page)).toBe(clips[221]);

    // The link to the list leads to the same place too.
    await rowOf(page, 222).getByRole('link').click();
    await page.getByRole('link', { name: 'Clips', exact: true }).and(page.locator('[rel=up]')).click();
    await expect.poll(() => focusedClip(page)).toBe(clips[222]);
    await press(page, '?');
    await page.getByText('Play or pause the clip').waitFor();
    await page.context().close();
  });

  test.each([
    ['wide', wide],
    ['phone', phone],
  ])(
    '%s: a list comes back as it was left, and a drag on the histogram narrows the time range',
    async (_name, size) => {
      const page = await app.open(`/clips?device=${deviceID}`, { size });
      await rowOf(page, 0).waitFor();
      await expect
        .poll(async () => {
          await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
          return rowOf(page, clipCount - 1).count();
        })
        .toBe(1);
      await page.evaluate(() => scrollBy(0, -700));
      await rowOf(page, 245).waitFor();
      const before = await topOf(page, 245);
      await rowOf(page, 245).locator('a').click();
      await clipPage(page).waitFor();
      await page.goBack();
      await expect.poll(() => topOf(page, 245)).toBe(before);
      await page.getByText(`${clipCount} clips loaded`).waitFor();

      await page.evaluate(() => scrollTo(0, 0));
      const bars = page.getByRole('application', { name: /^Clips from/ });
      await page.getByText(`${clipCount} clips. Drag`).waitFor();
      const { x, y, width, height } = (await bars.boundingBox())!;
      await page.mouse.move(x + width * 0.5, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
      await page.mouse.move(x + width * 0.75, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(({ searchParams }) => searchParams.has('from') && searchParams.has('to'));
      await page.getByText(/^6\d clips loaded/).waitFor();
      await page.getByLabel('From', { exact: true }).waitFor();
      await page.goBack();
      await page.getByText(`${clipCount} clips. Drag`).waitFor();
      // The same with the keys: the newest two of 120 buckets.
      await bars.focus();
      await press(page, 'ArrowLeft', 2);
      await press(page, 'Shift+ArrowRight');
      await press(page, 'Enter');
      await page.getByText(/^[3-6] clips loaded/).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.context().close();
    },
  );

  test.each([
    ['wide', wide],
    ['phone', phone],
  ])('%s: a search comes back with all loaded hits and its position', async (_name, size) => {
    const page = await app.open('/search?q=harbour', { size });
    await page.getByRole('button', { name: 'Show more' }).click();
    const hit = page.locator('.hit').nth(35);
    await hit.scrollIntoViewIfNeeded();
    const top = async () => Math.round((await hit.boundingBox())?.y ?? -1);
    const before = await top();
    await hit.locator('.hit-link').click();
    await clipPage(page).waitFor();
    await page.goBack();
    await expect.poll(top).toBe(before);
    expect(await page.locator('.hit').count()).toBe(spokenCount);
    await page.context().close();
  });

  test('a page that could not be loaded while the server was away loads when it is back', async () => {
    const page = await app.open('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const open = (link: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click();
    const isData = (url: URL) => url.pathname.startsWith('/v1/') && url.pathname !== '/v1/live';
    for (const [link, rows] of [
      ['Clips', '.rows'],
      ['Devices', '[role=grid], table'],
    ] as const) {
      await intercept(page, isData, (route) => route.abort());
      await open(link);
      await page.locator('main').getByText('The server does not respond.').first().waitFor();
      await page.unroute(isData);
      await page.locator(rows).getByText('North gate').first().waitFor();
    }
    // Not even the code of the page.
    await page.context().setOffline(true);
    await open('Collections');
    await page.getByText('Could not load the page').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    await page.context().close();
  });

  test('the navigation stays in its place on every page', async () => {
    const page = await app.open('/');
    const places = new Set<string>();
    for (const path of ['/', '/search', '/clips', '/devices', '/search?q=word1', '/settings']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      const boxes = await links.evaluateAll((all) =>
        all.map((link) => {
          const { x, y, width } = link.getBoundingClientRect();
          return [x, y, width];
        }),
      );
      places.add(JSON.stringify(boxes));
    }
    expect(places.size).toBe(1);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
