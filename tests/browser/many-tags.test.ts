import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';

const begin = 1_794_704_400;

/** Whether an element is shown by all elements around it. */
const isInside = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

describe('ten clips of one second, one with 500 tags', needs('chromium'), () => {
  let app: Console;
  let burst: number;
  /** Announced as a minute, and five seconds long. */
  let tagged: number;
  beforeAll(async () => {
    app = await startConsole();
    const client = app.server.admin.session;
    const body = { deviceSerial: 'burst', deviceName: 'Burst', autoCaption: false };
    burst = (await client.createDevice({ body })).key ?? 0;
    const made = await client.announceAudioClips({
      params: { deviceSerial: 'burst' },
      body: Array.from({ length: 10 }, (_, index) => ({
        startTime: begin,
        startTimeMs: index * 90,
        clipLengthInSeconds: 60,
      })),
    });
    tagged = made.at(-1)?.key ?? 0;
    const params = { audioClipID: tagged };
    await client.putAudioClipContent({ params, body: tinyWav(5, 440) });
    await client.correctCaption({ params: { captionID: tagged }, body: { transcript: 'five seconds' } });
    for (let first = 0; first < 500; first += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          client.createAudioClipTag({ params, body: { tagName: `bird ${first + index}` } }),
        ),
      );
    }
  });
  afterAll(() => app.stop());
  afterEach(() => expect(app.faults.splice(0)).toEqual([]));

  test('no two rows are equal, and 500 tags make no page long', async () => {
    const page = await app.open(`/clips?device=${burst}`);
    const links = page.locator('[data-clip] a');
    await links.nth(9).waitFor();
    expect(new Set(await links.allTextContents()).size).toBe(10);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const most = 2_500;

    await page.getByRole('button', { name: /^Tag: Any tag/ }).click();
    expect(await height(), 'list of clips').toBeLessThan(most);
    await page.getByLabel('Find in Tag').fill('bird 499');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.has('tag'));
    await page.getByText('1 clip loaded').waitFor();

    await page.goto('/search?q=five');
    await page.getByRole('button', { name: /^Show \d+$/ }).click();
    await page.getByLabel('Find in Tags').waitFor();
    expect(await height(), 'counts of a search').toBeLessThan(most);
    await page.getByRole('button', { name: /^Add a tag/ }).click();
    await page.getByLabel('Find in Add a tag').fill('bird 49');
    await page.locator('.pick-option', { hasText: 'bird 499' }).waitFor();
    expect(await height(), 'filter of a search').toBeLessThan(most);

    await page.goto(`/clips/${tagged}`);
    const chips = page.locator('.tags .chip');
    await chips.nth(499).waitFor();
    expect(await height(), 'page of the clip').toBeLessThan(most);
    // All of them are still reached.
    await chips.nth(499).getByRole('button').first().focus();
    expect(await chips.nth(499).evaluate(isInside)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('a clip has one length on every page: that of its sound', async () => {
    const page = await app.open(`/clips?device=${burst}`);
    const lengthsIn = async (row: Locator) => {
      await row.getByText(/\d/).first().waitFor();
      return (await row.innerText()).match(/\d+ (?:s|min)\b(?! ago)/gu);
    };
    expect(await lengthsIn(page.locator(`[data-clip="${tagged}"] .clip-length`)), 'clips').toEqual(['5 s']);
    await page.goto(`/devices/${burst}`);
    const rowOn = (text: string) =>
      page.locator('.row', { has: page.locator(`a[href="/clips/${tagged}"]`), hasText: text });
    expect(await lengthsIn(rowOn('long')), 'device').toEqual(['5 s']);
    await page.goto('/');
    expect(await lengthsIn(rowOn('long')), 'overview').toEqual(['5 s']);
    await page.goto(`/clips/${tagged}`);
    await page.locator('.waveform[aria-valuemax="5"]').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/\b(?:1 min|60 s|1:00)\b/u);
    await page.context().close();
  });
});
