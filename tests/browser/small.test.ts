import type { Client } from '@earshot/client/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { speak } from './speech.ts';

const noon = new Date().setHours(12, 0, 0, 0) / 1_000;

/** Small things that a tour of the console found. */
describe('small things of the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let deviceID: number;
  let clipID: number;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const body = { deviceSerial: 'gate', deviceName: `North gate ${'of the very long wall '.repeat(3)}` };
    deviceID = (await client.createDevice({ body })).key ?? 0;
    ({ clipID } = await speak(client, 'gate', noon - 86_400, 'The ferry leaves at nine.'));
    for (const result of ['microphone 1 not found', `${'unbroken'.repeat(30)} 2`]) {
      const { key = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot', eventParameters: '{}' } });
      await app.server.db`update events set event_status = 5, result = ${result} where key = ${key}`;
    }
  });
  afterAll(() => app.stop());

  test.each([
    ['200 % of a wide screen', 640, 450, '100%'],
    ['400 % of a wide screen', 320, 256, '100%'],
    ['letters of twice the size', 1_280, 900, '200%'],
  ])('the overview has no sideways scrolling at %s', async (_name, width, height, fontSize) => {
    const page = await app.open('/', { size: { width, height } });
    await page.getByText('Needs attention').waitFor();
    await page.evaluate((size) => void (document.documentElement.style.fontSize = size), fontSize);
    await page.getByText('Latest sound').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test('counts have separators everywhere on the overview', async () => {
    const page = await app.open('/settings');
    const devices = Array.from({ length: 1_001 }, (_, at) => ({ key: at + 1, deviceName: `D${at}`, online: false }));
    await page.route('**/v1/device/list', async (route) => {
      const { offset = 0, count = 100 } = route.request().postDataJSON() as { offset?: number; count?: number };
      await route.fulfill({ json: devices.slice(offset, offset + count) });
    });
    const stateCounts = [{ state: 'silent', count: 1_001 }];
    await page.route('**/v1/device/page', (route) =>
      route.fulfill({ json: { results: [], total: 1_001, isExact: true, stateCounts } }),
    );
    await page.goto('/');
    const summary = page.getByRole('list', { name: 'Summary' });
    await summary.getByText('of 1,001 devices online').waitFor();
    expect(await summary.textContent()).toContain('1,001 silent');
    await page.context().close();
  });

  test('the link above a clip leads back to where it was opened', async () => {
    const page = await app.open('/search?q=ferry');
    await page.locator('.hit-link').first().click();
    await page.waitForURL(/\/clips\/\d+/);
    const back = page.locator('.back a');
    expect(await back.textContent()).toBe('Search');
    await back.click();
    await page.waitForURL('**/search?q=ferry');
    await page.goto(`/clips/${clipID}`);
    await expect.poll(() => back.textContent()).toBe('Clips');
    await page.context().close();
  });

  test('a draft that was just written is not in the future', async () => {
    const page = await app.open('/settings');
    await page.clock.install();
    await page.goto(`/clips/${clipID}`);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Edit transcript' }).click();
    // Before the clock of the page ticks again.
    await page.clock.runFor(12_000);
    await page.getByRole('textbox', { name: 'Transcript text' }).fill('Half of it');
    await page.clock.runFor(1_000);
    await page.locator('.side').getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.goBack();
    await page.locator('.draft-offer').waitFor();
    expect(await page.locator('.draft-offer time').textContent()).toBe('just now');
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.context().close();
  });

  test('people read of no settings and no paths of the server', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=log`);
    await page.getByText('What the programs on the device write to their log').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('/v1/');
    await page.goto('/upload-keys');
    await page.getByRole('button', { name: 'Create upload key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('May ask for transcripts').waitFor();
    expect(await dialog.textContent()).toContain('Uploaded recordings are transcribed in any case');
    expect(await dialog.textContent()).not.toMatch(/\/v1\/|EARSHOT_/);
    await page.context().close();
  });

  test('a waveform that is not computed yet says so', async () => {
    const page = await app.open('/settings');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/waveform*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/clips/${clipID}`);
    await page.getByText('The waveform is being drawn…').waitFor();
    release();
    await page.getByText('The waveform is being drawn…').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('values of a health report with unknown names are shown', async () => {
    const healthJSON = JSON.stringify({ battery: { percent: 81 }, moisture: { soil: 0.4 }, '<b>door</b>': 'open' });
    await client.createDeviceHealth({ body: { deviceSerial: 'gate', healthJSON } });
    const page = await app.open(`/devices/${deviceID}?tab=health`);
    await page.getByText('All 3 values as the device sent them').click();
    const sent = page.locator('.sent-values');
    expect(await sent.locator('dt').allTextContents()).toEqual(['battery.percent', 'moisture.soil', '<b>door</b>']);
    expect(await sent.locator('dd').allTextContents()).toEqual(['81', '0.4', 'open']);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
