import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { makeDemoRecords } from './demo-records.ts';
import { overEdge } from './edges.ts';
import { phone, wide } from './screens.ts';

const faultsOf = async (page: Page) => [...(await violationsOf(page)), ...(await overEdge(page))];

describe('what a device reports, in the console', needs('chromium'), () => {
  let app: Console;
  let deviceID: number;
  const deviceSerial = 'north-gate';
  beforeAll(async () => {
    app = await startConsole();
    const { session } = app.server.admin;
    deviceID = (await session.createDevice({ body: { deviceSerial } })).key ?? 0;
    await session.createEventPreset({
      body: { deviceID, eventType: 'Restart_agents', eventPresetName: 'Restart at once' },
    });
  });
  afterAll(() => app.stop());

  test('a device without reports says how to send them, and shows the first one by itself', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=health`);
    await page.getByText('No health reports yet').waitFor();
    const command = (await page.locator('.copy pre').textContent()) ?? '';
    const body = /-d '(.+)'$/.exec(command)?.[1] ?? '';
    const { session } = app.server.admin;
    await session.createDeviceHealth({ body: JSON.parse(body) as { healthJSON: string } });
    // The page reloads its data every ten seconds.
    await page.locator('.health-values', { hasText: '81 %' }).waitFor();
    await page.context().close();
  });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: files set aside are listed with their reasons, and tried again on request', async (_name, size) => {
    const { session } = app.server.admin;
    const serial = `set-aside-${size.width}`;
    const { key = 0 } = await session.createDevice({ body: { deviceSerial: serial } });
    const report = (recordings: object) =>
      session.createDeviceHealth({ body: { deviceSerial: serial, healthJSON: JSON.stringify({ recordings }) } });
    // An agent of before, which does not know the event.
    await report({ known: 3 });
    const page = await app.open(`/devices/${key}?tab=health`, { size, isStill: true });
    await page.getByText('No known values in the latest report').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    const reason = 'The bytes are no sound: a recording is WAV, MP3, M4A, FLAC, Ogg or WebM.';
    await report({
      known: 40,
      setAside: 22,
      setAsideFiles: [
        {
          path: String.raw`card/\xff\xfe<b>junk</b>.wav`,
          reason,
          sinceDate: new Date(Date.now() - 7_200_000).toISOString(),
        },
        { path: `card/${'long-name-'.repeat(20)}.wav`, reason: 'The file cannot be read (EACCES).' },
      ],
    });
    await page.goto(`/devices/${key}`);
    await page.getByText('22 files set aside.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Which, and why' }).click();
    await page.getByText(String.raw`card/\xff\xfe<b>junk</b>.wav`, { exact: true }).waitFor();
    await page.getByText(reason).waitFor();
    await page.getByText('Set aside 2 h ago').waitFor();
    await page.getByText('20 more files on the device').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Asked. The next report shows what is left.').waitFor();
    const [event] = await session.listEvents({ body: { deviceID: key, count: 1 } });
    expect(event?.eventType).toBe('Retry_recordings');
    // The page reloads its data every ten seconds.
    await report({ known: 40, setAside: 0, setAsideFiles: [] });
    await page.getByText('Files set aside').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('charts, and a position that is set by hand and removed', async () => {
    await makeDemoRecords(app.server.url, app.server.admin.session, deviceID, deviceSerial);
    const page = await app.open(`/devices/${deviceID}?tab=health`);
    await page.getByRole('img', { name: /^Battery: lowest 48/ }).waitFor();
    expect(await page.locator('.chart').count()).toBe(6);
    const path = () => page.locator('.chart-line path').first().getAttribute('d');
    const day = await path();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(/span=week/);
    await expect.poll(path).not.toBe(day);

    await page.getByText('47.37689° N').waitFor();
    await page.getByRole('button', { name: 'Set position' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Latitude').fill('95');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.problem', { hasText: 'must be at most 90' }).waitFor();
    await dialog.getByLabel('Latitude').fill('-12.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('12.50000° S').waitFor();
    await page.getByText('Set by hand').waitFor();
    await page.getByRole('button', { name: 'Set position' }).click();
    await dialog.getByRole('button', { name: 'Remove position' }).click();
    await page.getByText('No position yet').waitFor();
    await page.context().close();
  });

  test('the ready preset is chosen', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=health`);
    await page.getByText('Ready since').waitFor();
    const select = page.getByLabel('Run a preset when the device is ready');
    await select.selectOption({ label: 'None' });
    await page.getByRole('button', { name: 'Save' }).click();
    const { session } = app.server.admin;
    const chosen = async () => (await session.getDeviceReadiness({ params: { deviceID } })).eventPresetID;
    await expect.poll(chosen).toBeUndefined();
    await select.selectOption({ label: 'Restart at once' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(chosen).toBeGreaterThan(0);
    await page.context().close();
  });

  test('the log is searched and filtered, and the address has both', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=log`);
    await page.getByText('INFO started').waitFor();
    await page.getByLabel('Search the log').fill('UPLOAD of');
    await expect.poll(() => page.locator('.log-line').count()).toBe(2);
    await page.getByLabel('Level').selectOption({ label: 'Warning' });
    await expect.poll(() => page.locator('.log-line').count()).toBe(1);
    await page.waitForURL(/find=UPLOAD\+of.*level=warning/);
    await page.getByLabel('Search the log').fill('nothing like it');
    await page.getByText('No lines found').waitFor();
    await page.context().close();
  });

  test('more lines of the log are loaded on request', async () => {
    await app.server.db`
      insert into log_messages (device_id, level, message, message_date)
      select ${deviceID}, 'info', 'filler ' || n, now() - interval '1 hour' from generate_series(1, 120) n`;
    const page = await app.open(`/devices/${deviceID}?tab=log&find=filler`);
    await expect.poll(() => page.locator('.log-line').count()).toBe(100);
    await page.getByRole('button', { name: 'Load older' }).click();
    await expect.poll(() => page.locator('.log-line').count()).toBe(120);
    await page.getByRole('button', { name: 'Load older' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a setting is added and sent, shown as different until the device reports it, and deleted', async () => {
    const { session } = app.server.admin;
    const page = await app.open(`/devices/${deviceID}?tab=settings`);
    const differing = page.getByText('Differs');
    await page.getByText('sampleRate').waitFor();
    expect(await differing.count()).toBe(2);
    await page.getByRole('button', { name: 'Add a setting' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('volume');
    await dialog.getByLabel('Wanted value').fill('75');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => differing.count()).toBe(3);
    const [event] = await session.listEvents({ body: { deviceID, count: 1 } });
    expect(event).toMatchObject({
      eventType: 'Update_setting',
      eventParameters: '{"settingName":"volume","settingValue":"75"}',
    });
    const { client: device } = await app.server.admin.withKey({ deviceID });
    await device.putDeviceSetting({ params: { deviceID }, query: {}, body: { name: 'volume', value: '75' } });
    await expect.poll(() => differing.count()).toBe(2);
    await page.getByRole('button', { name: 'More actions for volume' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'More actions for volume' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('on a phone, the current tab is in view', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=settings`, { size: phone });
    const tab = page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name: 'Settings' });
    await tab.waitFor();
    const edge = async () => {
      const box = await tab.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    await expect.poll(edge).toBeLessThanOrEqual(phone.width);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
