import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole, watch } from './console.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { makeDemoFleet } from './demo-fleet.ts';
import { overEdge } from './edges.ts';
import type { HostileFleet } from './hostile.ts';
import { harmDone, hostileNames, hostileOn, makeHostileFleet } from './hostile.ts';
import { placesOf, placesOutside } from './places.ts';
import { smallPhone, wide } from './screens.ts';
import { keyboardFaults } from './tab-stops.ts';

type Look = [name: string, theme: 'light' | 'dark', size: typeof wide | typeof smallPhone];
const usualLooks: Look[] = [
  ['light, wide', 'light', wide],
  ['dark, on a small phone', 'dark', smallPhone],
];
const otherLooks: Look[] = [
  ['dark, wide', 'dark', wide],
  ['light, on a small phone', 'light', smallPhone],
];
/** pages.long.test.ts opens every page in every look; otherwise each page is opened in one of two looks, in turn. */
const isEvery = process.env['PAGE_LOOKS'] === 'every';
const looks = isEvery ? [...usualLooks, ...otherLooks] : usualLooks;

/** The share of the places that are opened in this look. */
const shareOf = <Place>(places: readonly Place[], look: string): readonly Place[] =>
  isEvery ? places : places.filter((_place, at) => at % looks.length === looks.findIndex(([name]) => name === look));

/** The page with the first two articles of each section. */
const withFewArticles = (page: string): string =>
  page.replaceAll(/((?:<article\b.*?<\/article>\s*){2})(?:<article\b.*?<\/article>\s*)+/gs, '$1');

describe('every page of the console', needs('chromium'), () => {
  let app: Console;
  let fleet: DemoFleet;
  let hostile: HostileFleet;
  beforeAll(async () => {
    app = await startConsole();
    fleet = await makeDemoFleet(app.server.url, app.server.admin.session);
    const { client } = await app.server.admin.withKey();
    hostile = await makeHostileFleet(app.server.admin.session, client);
  });
  afterAll(() => app.stop());

  /** The texts of other users that were seen on a page. */
  const shown = new Set<string>();

  /** Faults of the page, or of the open dialog. */
  async function faultsOf(page: Page, part: 'html' | 'dialog[open]', isEndless = false): Promise<readonly string[]> {
    return [
      ...(await violationsOf(page, part)),
      ...(await overEdge(page)),
      ...(await harmDone(page)),
      ...(isEndless ? [] : await keyboardFaults(page)),
    ];
  }

  test.each(looks)(
    'and every dialog: no axe violation, no overflow, all controls reached by Tab, user text is text, no error in the log: %s',
    async (name, theme, size) => {
      const page = await app.open('/', { theme, size, isStill: true });
      const found: string[] = [];
      const look = async (where: string, part: 'html' | 'dialog[open]', isEndless?: boolean) => {
        for (const text of await hostileOn(page)) shown.add(text);
        for (const fault of await faultsOf(page, part, isEndless)) found.push(`${where} ${fault}`);
      };
      for (const { path, dialogs = [], isEndless } of shareOf(placesOf(fleet, hostile), name)) {
        await page.goto(path);
        await page.locator('main h1, main .empty').first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await look(path, 'html', isEndless);
        for (const [index, open] of dialogs.entries()) {
          await open(page);
          await page.locator('dialog[open]').waitFor();
          await page.locator('.skeleton').first().waitFor({ state: 'detached' });
          await look(`${path} dialog ${index + 1}`, 'dialog[open]');
          await page.keyboard.press('Escape');
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
        }
      }
      expect(found).toEqual([]);
      expect(app.logErrors).toEqual([]);
      await page.context().close();
    },
  );

  test('hostile text of every kind was shown', () => {
    expect(hostileNames.filter((name) => !shown.has(name))).toEqual([]);
  });

  test.each(looks)('pages without a session have no faults either: %s', async (_name, colorScheme, viewport) => {
    const context = await app.browser.newContext({
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      baseURL: app.server.url,
    });
    const page = await watch(context, app.faults);
    // Hundreds of similar operations, which the browser would lay out.
    await page.route('**/api', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: withFewArticles(await response.text()) });
    });
    const found: string[] = [];
    for (const path of placesOutside) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      for (const fault of await faultsOf(page, 'html', path === '/api')) found.push(`${path} ${fault}`);
    }
    expect(found).toEqual([]);
    await context.close();
  });

  test('is reachable by keyboard', async () => {
    const page = await app.open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('owl');
    await page.waitForURL(/find=owl/);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.search === '');
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('Skip to content');
    await page.context().close();
  });

  test('reports a lost connection, reconnects, and shows the changes made meanwhile', async () => {
    const page = await app.open('/devices');
    await page.getByText('Mill pond').waitFor();
    await page.context().setOffline(true);
    await page.getByText('Connection lost.').waitFor();
    await app.server.admin.session.updateDevice({
      params: { deviceID: fleet.deviceIDs[7] ?? 0 },
      body: { deviceName: 'Mill race' },
    });
    await page.context().setOffline(false);
    await page.getByText('Mill race').waitFor();
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('keeps the selected theme', async () => {
    const page = await app.open('/settings');
    const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await paper();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await paper()).toBe(dark);
    await page.context().close();
  });

  test('shows no data without access', async () => {
    const { email } = await app.server.addPerson();
    const page = await app.open(`/devices/${fleet.deviceIDs[0]}`, { email, password: 'a password for tests' });
    await page.getByText('Page not found').waitFor();
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
