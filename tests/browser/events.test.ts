import type { Client } from '@earshot/client/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

describe('events and presets in the console', needs('chromium'), () => {
  let app: Console;
  let agent: Client;
  let deviceID: number;
  const deviceSerial = 'recorder-17';
  beforeAll(async () => {
    app = await startConsole();
    const body = { deviceSerial, deviceName: 'North gate' };
    deviceID = (await app.server.admin.session.createDevice({ body })).key ?? 0;
    agent = (await app.server.admin.withKey()).client;
    await agent.registerAgent({ body: { deviceSerial, agentType: 'Device', processID: 7 } });
  });
  afterAll(() => app.stop());

  const take = async () =>
    (await agent.dequeueEvent({ body: { deviceSerial, agentType: 'Device', processID: 7 } }))?.key ?? 0;

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: an event is sent, its progress followed, and it is cancelled', async (_name, size) => {
    const page = await app.open(`/devices/${deviceID}`, { size });
    await page.getByRole('button', { name: 'Send an event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event type').selectOption('Reboot');
    await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
    await dialog.getByLabel('Parameters as JSON').fill('[]');
    await dialog.getByRole('button', { name: 'Send Reboot', exact: true }).click();
    await dialog.getByRole('alert').getByText('Parameters must be a JSON object').waitFor();
    await dialog.getByLabel('Parameters as JSON').fill('{"in":60}');
    await dialog.getByRole('button', { name: 'Send Reboot', exact: true }).click();
    await page.getByText('Reboot is queued.').waitFor();
    const eventID = await take();
    const row = page.locator('.event-row', { has: page.locator(`a[href="/events/${eventID}"]`) });
    await row.getByText('Taken').waitFor();
    await agent.reportEventProgress({ params: { eventID }, body: { percentComplete: 40 } });
    await row.getByText('40 %').waitFor();

    await row.getByRole('button', { name: /^Cancel/ }).click();
    await row.getByText('Cancelled').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('40 %').waitFor();
    expect((await agent.getEvent({ params: { eventID } })).eventStatus).toBe(3);

    // A deferred action is sent when the page unloads.
    await row.getByRole('button', { name: /^Cancel/ }).click();
    await row.getByText('Cancelled').waitFor();
    await page.goto('/events?status=history');
    const listed = (key: number | undefined) =>
      page.locator('.table-row', { has: page.locator(`a[href="/events/${key}"]`) });
    await listed(eventID).getByText('Cancelled').waitFor();
    await expect.poll(async () => (await agent.getEvent({ params: { eventID } })).eventStatus).toBe(7);

    await page
      .getByRole('button', { name: /^Send again/ })
      .first()
      .click();
    await page.getByText('Reboot is queued again.').waitFor();
    const again = await take();
    expect((await agent.getEvent({ params: { eventID: again } })).eventParameters).toBe('{"in":60}');
    await agent.reportEvent({ params: { eventID: again }, body: { eventStatus: 5, result: 'no <b>power</b>' } });
    await page.getByText('no <b>power</b>').first().waitFor();
    await page.context().close();
  });

  test('a preset of a collection runs on each of its devices', async () => {
    const admin = app.server.admin.session;
    const { key: second = 0 } = await admin.createDevice({ body: { deviceSerial: 'recorder-18' } });
    const { key: collectionID = 0 } = await admin.createCollection({ body: { collectionName: 'Gates' } });
    for (const itemID of [deviceID, second]) {
      await admin.addCollectionItem({
        params: { collectionItemID: collectionID },
        body: { itemType: 'device', itemID },
      });
    }
    const page = await app.open('/presets');
    await page.getByRole('button', { name: 'Create preset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Check them all');
    await dialog.getByLabel('Run on').selectOption(`group ${collectionID}`);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Event type is required.').waitFor();
    await dialog.getByLabel('Event type').selectOption('Report_diagnostics');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Run Check them all' }).click();
    await page.getByText('Check them all is queued for 2 devices.').waitFor();
    const events = await admin.listEvents({ body: { count: 2 } });
    expect(new Set(events.map((event) => event.deviceID))).toEqual(new Set([deviceID, second]));

    await page.goto(`/devices/${second}?tab=presets`);
    await page.getByRole('button', { name: 'Run Check them all' }).click();
    await page.getByText('Check them all is queued.').waitFor();
    await page.getByRole('button', { name: 'More actions for Check them all' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('Check them all is deleted.').waitFor();
    await page
      .getByText('No presets for this device')
      .or(page.getByRole('button', { name: 'Undo' }))
      .first()
      .waitFor();
    await page.context().close();
  });

  test('a preset has named parameters, like an event that is sent', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=presets`);
    await page.getByRole('button', { name: 'Create preset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Louder');
    await dialog.getByLabel('Event type').selectOption('Update_setting');
    await dialog.getByLabel('Value of settingName').fill('volume');
    await dialog.getByLabel('Value of settingValue').fill('75');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('settingName: volume, settingValue: 75').waitFor();

    await page.getByRole('button', { name: 'More actions for Louder' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Event type').inputValue()).toBe('Update_setting');
    await dialog.getByLabel('Value of settingValue').fill('"75"');
    await dialog.getByRole('button', { name: 'Add a parameter' }).click();
    await dialog.getByLabel('Value of parameter 3').fill('5');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').getByText('A parameter has no name').waitFor();
    await dialog.getByLabel('Name of parameter 3').fill('delay');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('settingName: volume, settingValue: "75", delay: 5').waitFor();
    const [preset] = await app.server.admin.session.listPresetsOfDevice({ params: { deviceID } });
    expect(preset?.eventParameters).toBe('{"settingName":"volume","settingValue":"75","delay":5}');
    await page.context().close();
  });

  test('the history shows all events, also when more than a thousand ended at the same time', async () => {
    const { key = 0 } = await agent.createDevice({ body: { deviceSerial: 'long-past' } });
    const rows = await app.server.db<{ key: number }[]>`
      insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, creation_date)
      select ${key}, 1, 10, 0, 4, date_trunc('day', now()) from generate_series(1, 1050) returning key`;
    const page = await app.open(`/events?status=history&device=${key}`);
    await page.locator('.list-count', { hasText: '1,050 events' }).waitFor();
    expect(await page.locator('.table-row').count()).toBeLessThan(80);
    await page.locator('.table-row').first().focus();
    await page.keyboard.press('End');
    await page.locator(`a[href="/events/${rows[0]?.key}"]`).waitFor();
    // Down to the oldest and back, each event was a row once.
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1051');
    await page.context().close();
  });

  test('the platform’s own work is listed only if it is asked for', async () => {
    const { key = 0 } = await agent.createDevice({ body: { deviceSerial: 'transcribed' } });
    await app.server.db`
      insert into events (device_id, agent_type_id, event_type_id, server_event, event_status)
      values (${key}, 5, 5, 1, 4), (${key}, 1, 10, 0, 4)`;
    const page = await app.open(`/events?status=history&device=${key}`);
    const rows = page.locator('.table-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Also the platform’s own work').check();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('link', { name: /^Queue/ }).click();
    await page.waitForURL(/platform=yes/);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
