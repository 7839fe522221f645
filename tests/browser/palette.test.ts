import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone } from './screens.ts';
import { speak } from './speech.ts';

const noon = new Date().setHours(12, 0, 0, 0) / 1_000;

describe('the palette of the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let deviceID: number;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    deviceID = (await client.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North <gate>' } })).key ?? 0;
    await speak(client, 'gate', noon - 86_400, 'The ferry leaves at nine.');
    await client.importTalkgroups({
      params: { deviceID },
      body: { csv: 'Decimal,Alpha Tag\n4521,FIRE DISP\n' },
    });
  });
  afterAll(() => app.stop());

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search or go to' });
  const chosen = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true });
  const open = async (page: Page, key = 'Control+k') => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press(key);
    await page.getByRole('listbox').waitFor();
  };
  /** Requests for records, but for those of the page itself. */
  const askedWhile = async (page: Page, act: () => Promise<unknown>) => {
    const asked: string[] = [];
    const note = (request: { url(): string; method(): string }) => {
      const { pathname } = new URL(request.url());
      if (
        /^\/v1\/(device\/list|talkgroup\/list|audioclip\/list\/page|audioclip\/list\/search\/caption)$/.test(pathname)
      )
        asked.push(pathname);
    };
    page.on('request', note);
    await act();
    page.off('request', note);
    return asked;
  };

  test('opens pages, devices, talkgroups and clips with the keyboard alone', async () => {
    const page = await app.open('/settings');
    const goes = async (typed: string, option: string, address: RegExp) => {
      await open(page);
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: option }).waitFor();
      for (let times = 0; (await chosen(page).textContent())?.includes(option) !== true; times += 1) {
        if (times > 20) throw new Error(`no ${option}`);
        await page.keyboard.press('ArrowDown');
      }
      expect(await field(page).getAttribute('aria-activedescendant')).toBe(await chosen(page).getAttribute('id'));
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      expect(await page.getByRole('dialog').count()).toBe(0);
    };
    await goes('vocab', 'Vocabulary', /\/vocabulary$/);
    await goes('<gate>', 'North <gate>', new RegExp(`/devices/${deviceID}$`));
    await goes('fire', 'FIRE DISP', new RegExp(`/clips\\?device=${deviceID}&talkgroup=4521$`));
    await goes('ferry', 'The ferry leaves at nine.', /\/clips\/\d+\?/);
    await goes('whisky', 'Search transcripts for “whisky”', /\/search\?q=whisky$/);
    // What was opened is offered again.
    await open(page);
    await page
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: 'North <gate>', exact: true })
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('asks four small questions for a typed text, however fast it is typed, and none for one letter', async () => {
    const page = await app.open('/settings');
    await open(page);
    const none = await askedWhile(page, async () => {
      await page.keyboard.type('f');
      await page.getByRole('option', { name: 'Search transcripts for “f”' }).waitFor();
      await page.waitForTimeout(400);
    });
    expect(none).toEqual([]);
    await page.clock.install();
    const asked = await askedWhile(page, async () => {
      // On a busy machine there would be long pauses between the letters.
      await page.clock.pauseAt(Date.now() + 1_000);
      for (const letter of 'erry') {
        await page.keyboard.type(letter);
        await page.clock.runFor(30);
      }
      await page.clock.resume();
      await page.getByRole('option', { name: 'The ferry leaves at nine.' }).waitFor();
      await page.getByText(/^\d+ results?$/).waitFor();
      await page.waitForTimeout(400);
    });
    expect(asked.toSorted()).toEqual([
      '/v1/audioclip/list/page',
      '/v1/audioclip/list/search/caption',
      '/v1/device/list',
      '/v1/talkgroup/list',
    ]);
    await page.context().close();
  });

  test('does things: the theme, the shortcuts, signing out; and forgets what was opened', async () => {
    const page = await app.open(`/devices/${deviceID}`);
    await page.getByRole('heading', { name: 'North <gate>' }).waitFor();
    await open(page);
    await page.keyboard.type('dark');
    await expect.poll(() => chosen(page).textContent()).toBe('Use the dark theme');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await open(page);
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await open(page);
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByText('You are signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("earshot recent")')).toBe('[]');
    await page.context().close();
  });

  test('on a phone it opens from More, and fits; the five places are there', async () => {
    const page = await app.open('/', { size: phone, theme: 'dark' });
    const bar = page.getByRole('navigation', { name: 'Main pages' });
    await bar.waitFor();
    expect(await bar.locator('> *').allTextContents()).toEqual(['Overview', 'Clips', 'Search', 'Bell', 'More']);
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Search or go to' }).click();
    await page.getByRole('listbox').waitFor();
    await page.keyboard.type('gate');
    await page.getByRole('option', { name: 'North <gate>' }).click();
    await page.waitForURL(`**/devices/${deviceID}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });

  test('the navigation shows how many alerts are open, without asking for more than ten', async () => {
    const page = await app.open('/settings');
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Alerts/ });
    await link.waitFor();
    expect(await link.textContent()).toBe('Alerts');
    await page.route('**/v1/alert/list', (route) =>
      route.fulfill({ json: { results: Array.from({ length: 10 }, (_, at) => ({ key: at + 1, state: 'open' })) } }),
    );
    const asked = page.waitForRequest('**/v1/alert/list');
    await page.reload();
    expect((await asked).postDataJSON()).toEqual({ state: 'open', count: 10 });
    await expect.poll(() => link.textContent()).toBe('Alerts9+ open');
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
