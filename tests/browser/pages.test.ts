import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { noBrowser } from './browser.ts';
import { type Console, startConsole } from './console.ts';
import { type DemoFleet, makeDemoFleet } from './demo-fleet.ts';
import { smallPhone, wide } from './screens.ts';

describe.skipIf(noBrowser !== undefined)('every page of the console', () => {
  let app: Console;
  let fleet: DemoFleet;
  beforeAll(async () => {
    app = await startConsole();
    fleet = await makeDemoFleet(app.server.url, app.server.admin.session);
  });
  afterAll(() => app.stop());

  const pages = () => [
    '/',
    '/devices',
    '/devices?add=1',
    `/devices/${fleet.deviceIDs[0]}`,
    `/devices/${fleet.deviceIDs[9]}?tab=settings`,
    `/devices/${fleet.deviceIDs[0]}?tab=presets`,
    `/devices/${fleet.deviceIDs[0]}?tab=timeline`,
    '/clips',
    `/clips?device=${fleet.deviceIDs[9]}`,
    `/timeline?devices=${fleet.deviceIDs[0]},${fleet.deviceIDs[9]}&span=week`,
    '/events',
    '/events?status=history',
    `/events/${fleet.eventID}`,
    '/presets',
    '/collections',
    `/collections/${fleet.collectionID}`,
    '/people',
    '/keys',
    '/settings',
    `/clips/${fleet.speech.clipID}?t=4.2&q=ferry`,
    `/clips/${fleet.speech.silentClipID}`,
    `/clips/${fleet.speech.absentClipID}`,
    `/clips/${fleet.speech.unheardClipID}`,
    '/search',
    '/search?q=ferry',
    '/search?q=nobody-would-say-this',
    '/nowhere',
  ];

  test.each([
    ['light, wide', 'light', wide],
    ['dark, on a small phone', 'dark', smallPhone],
  ] as const)('has no fault that axe finds and does not run over its edge: %s', async (_name, theme, size) => {
    const page = await app.open('/', { theme, size });
    const found: string[] = [];
    for (const path of pages()) {
      await page.goto(path);
      await page.locator('main h1, main .empty').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      found.push(...(await violationsOf(page)).map((fault) => `${path} ${fault}`));
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${path} runs over`);
    }
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('is reached by the keyboard alone', async () => {
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

  test('says when the connection is lost, heals, and has missed nothing', async () => {
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

  test('keeps the colours that a person chose', async () => {
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

  test('shows no data to whom it does not belong', async () => {
    const { email } = await app.server.addPerson();
    const page = await app.open(`/devices/${fleet.deviceIDs[0]}`, { email, password: 'a password for tests' });
    await page.getByText('There is nothing here').waitFor();
    await page.context().close();
  });

  test('nothing went wrong meanwhile', () => {
    expect(app.faults).toEqual([]);
  });
});
