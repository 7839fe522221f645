import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import type { Client } from '@earshot/client/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole, watch } from './console.ts';
import { phone } from './screens.ts';

const fleetSize = 40;
const darkCount = 31;

describe('the overview in the console', needs('chromium'), () => {
  let app: Console;
  let agent: Client;
  let deviceIDs: readonly number[];
  beforeAll(async () => {
    app = await startConsole();
    agent = (await app.server.admin.withKey()).client;
    const rows = await app.server.db<{ key: number }[]>`
      insert into devices (user_id, device_name, device_serial, auto_caption, last_poll_date)
      select ${app.server.admin.userID}, concat('Recorder ', n), concat('recorder-', n), false,
        case when n <= ${darkCount} then now() - interval '40 minutes' + n * interval '1 second' else now() end
      from generate_series(1, ${fleetSize}) n returning key`;
    deviceIDs = rows.map(({ key }) => key);
    await app.server.db`
      insert into events (device_id, agent_type_id, event_type_id, event_status, result)
      select key, 2, 10, 5, 'no power' from devices, generate_series(1, 3)
      where device_serial in ('recorder-33', 'recorder-34', 'recorder-35')`;
    // Triggered recordings of one device in the middle of the list, the last with sound.
    const [first, ...others] = await agent.announceAudioClips({
      params: { deviceSerial: 'recorder-36' },
      body: [60, 900, 3_000, 7_000, 9_000].map((ago) => ({
        startTime: Math.floor(Date.now() / 1_000) - ago,
        clipLengthInSeconds: 5,
      })),
    });
    expect(others).toHaveLength(4);
    await agent.putAudioClipContent({ params: { audioClipID: first?.key ?? 0 }, body: tinyWav(5) });
  });
  afterAll(() => app.stop());

  const setDark = (serial: string, minutes: number) =>
    app.server.db`
      update device_states s set last_poll_date = now() - make_interval(mins => ${minutes}) from devices d
      where d.key = s.device_id and d.device_serial = ${serial}`;

  test('groups equal failures and devices that went dark together; both are handled with one click', async () => {
    const page = await app.open('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const dark = attention.locator('.alert-row', { hasText: '31 devices went offline together' });
    const failed = attention.locator('.alert-row', { hasText: 'Reboot failed 9 times on 3 devices' });
    await dark.waitFor();
    await failed.getByText('no power').waitFor();
    expect(await attention.locator('.alert-row').count()).toBe(2);
    await page.getByText('5 clips').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // All at once, and taken back.
    await attention.getByRole('button', { name: 'Acknowledge all' }).click();
    await page.getByText('All problems are acknowledged.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await failed.waitFor();

    await dark.getByRole('button', { name: 'Show' }).click();
    expect(await dark.locator('.alert-devices a').count()).toBe(darkCount);
    await dark.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Acknowledged for everybody.', { exact: true }).waitFor();
    await dark.waitFor({ state: 'detached' });
    await failed.getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('9 events queued again.').waitFor();
    await page.getByText('All problems are acknowledged.').waitFor();
    const open = await agent.listEvents({ body: { eventState: 'open' } });
    expect(open).toHaveLength(9);

    // It is stored: after a reload it is still acknowledged, until another device goes dark.
    await page.reload();
    await page.getByText('Acknowledged (2)').waitFor();
    await setDark('recorder-32', 41);
    await page.reload();
    await attention.getByText('32 devices went offline together').waitFor();
    await attention.getByText('1 new', { exact: true }).waitFor();
    await page.context().close();
  });

  test('follows failures, sound and counts without a reload, and plays the latest sound', async () => {
    const page = await app.open('/', { size: phone });
    await page.getByText('5 clips').waitFor();
    const play = page.getByRole('button', { name: 'Play Recorder 36' });
    await play.click();
    await page.getByRole('button', { name: 'Pause Recorder 36' }).waitFor();
    const [clip] = await agent.announceAudioClips({
      params: { deviceSerial: 'recorder-40' },
      body: [{ startTime: Math.floor(Date.now() / 1_000) - 10, clipLengthInSeconds: 5 }],
    });
    await page.getByText('6 clips').waitFor();
    await agent.putAudioClipContent({ params: { audioClipID: clip?.key ?? 0 }, body: tinyWav(5) });
    await page.getByRole('button', { name: 'Play Recorder 40' }).waitFor();

    const body = { deviceSerial: 'recorder-40', agentType: 'Device', processID: 7 };
    await agent.registerAgent({ body });
    await agent.createEvent({ body: { deviceSerial: 'recorder-40', eventType: 'Restart_agents' } });
    const { key: eventID = 0 } = (await agent.dequeueEvent({ body })) ?? {};
    await agent.reportEvent({ params: { eventID }, body: { eventStatus: 5, result: 'stuck' } });
    await page.getByText('Restart agents failed').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('the timeline begins with the latest clips, names what it shows of 40 devices, and a phone is not told to point or drop', async () => {
    const page = await app.open('/timeline?view=devices');
    await page.getByText('Devices 1–8 of 40').waitFor();
    await page.getByText('Point at the timeline or use the arrow keys to see details.').waitFor();
    // Device 40 has clips if the test above has run. Without the clips, the order would be 40, 39, 38.
    const stage = page.getByRole('application', { name: /^Timeline of (Recorder 40, )?Recorder 36, / });
    await stage.waitFor();
    await page.locator('.timeline-state', { hasText: /^[56] clips$/ }).waitFor();
    const coverage = page.getByRole('region', { name: 'Coverage' });
    await coverage.getByText('No recording').first().waitFor();
    expect(await page.getByText('Not recorded').count()).toBe(0);
    await page.getByRole('button', { name: 'Next devices' }).click();
    await page.getByText('Devices 9–16 of 40').waitFor();
    await page.locator('.timeline-state', { hasText: /^0 clips$/ }).waitFor();
    await page.goto(`/timeline?devices=${deviceIDs.join(',')}&page=5`);
    await page.getByText('Devices 33–40 of 40').waitFor();
    await page.context().close();

    const context = await app.browser.newContext({
      viewport: phone,
      hasTouch: true,
      isMobile: true,
      baseURL: app.server.url,
    });
    const onPhone = await watch(context, app.faults);
    await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
    await onPhone.goto('/timeline?view=devices');
    await onPhone.getByText('Tap the timeline to see details.').waitFor();
    expect(await onPhone.getByText('Point at').count()).toBe(0);
    await onPhone.goto('/upload');
    await onPhone.getByText('Choose recordings that are stored on this device.').waitFor();
    expect(await onPhone.getByText('Drop').count()).toBe(0);
    await context.close();
  });

  test('the timeline opens at the day of the latest clips', async () => {
    const { key: deviceID = 0 } = await agent.createDevice({ body: { deviceSerial: 'long-ago', timeZone: 'UTC' } });
    await agent.announceAudioClips({
      params: { deviceSerial: 'long-ago' },
      body: [{ startTime: Date.UTC(2026, 0, 5, 12) / 1_000, clipLengthInSeconds: 5 }],
    });
    const page = await app.open(`/devices/${deviceID}?tab=timeline`);
    await page.locator('.timeline-state', { hasText: /^1 clip$/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('day')).toBe('2026-01-05');
    await page.context().close();
  });

  test('an event is sent to three devices, with named parameters and a result for each', async () => {
    const page = await app.open('/events');
    await page.getByRole('button', { name: 'Send an event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No device chosen').waitFor();
    await dialog.getByLabel('Event type').selectOption('Update_setting');
    await dialog.getByRole('button', { name: 'Send Update setting' }).click();
    await dialog.getByText('Choose at least one device.').waitFor();
    await dialog.getByLabel('Find devices').fill('recorder 3');
    for (const name of ['Recorder 36', 'Recorder 37', 'Recorder 38']) await dialog.getByLabel(name).check();
    await dialog.getByLabel('Value of settingName').fill('volume');
    await dialog.getByLabel('Value of settingValue').fill('75');
    await dialog.getByRole('button', { name: 'Add a parameter' }).click();
    await dialog.getByLabel('Name of parameter 3').fill('note');
    await dialog.getByLabel('Value of note').fill('"7"');
    await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
    expect(JSON.parse(await dialog.getByLabel('Parameters as JSON').inputValue())).toEqual({
      settingName: 'volume',
      settingValue: 75,
      note: '7',
    });
    await dialog.getByText('Update setting will be queued for 3 devices.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send Update setting to 3 devices' }).click();
    await page.getByText('Send Update setting to 3 devices: done.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const events = await agent.listEvents({ body: { count: 3 } });
    expect(new Set(events.map(({ deviceID }) => deviceID))).toEqual(new Set(deviceIDs.slice(35, 38)));
    expect(new Set(events.map(({ eventParameters }) => eventParameters))).toEqual(
      new Set(['{"settingName":"volume","settingValue":75,"note":"7"}']),
    );
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the API page has the colours, type and theme of the console', async () => {
    const page = await app.open('/settings');
    const look = () =>
      page.evaluate(() => {
        const { backgroundColor } = getComputedStyle(document.documentElement);
        const { color, fontFamily } = getComputedStyle(document.body);
        return [backgroundColor, color, fontFamily];
      });
    await page.evaluate(() => localStorage.setItem('earshot-theme', 'dark'));
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const ofConsole = await look();
    await page.goto('/api');
    expect(await look()).toEqual(ofConsole);
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
