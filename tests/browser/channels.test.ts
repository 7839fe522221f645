import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@earshot/client/client';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

describe('channels in the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let status = 200;
  const told: string[] = [];
  const receiver = createServer((request, response) => {
    told.push(request.url ?? '');
    response.writeHead(status).end('thank you');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const mail = { host: '127.0.0.1', port: 9, isSecure: false, login: undefined, from: 'earshot@example.org' };
    app = await startConsole({ allowNetworks: ['127.0.0.0/8'], mail });
    client = app.server.admin.session;
    await client.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false } });
  });
  afterAll(async () => {
    await app.stop();
    receiver.close();
  });

  test('a channel is added by its form, tested, chosen in a rule, looked up in its log and deleted', async () => {
    const page = await app.open('/channels');
    await page.getByText('No channels yet').waitFor();
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Night shift');
    await dialog.getByLabel('Kind').selectOption('Gotify');
    await dialog.getByText('not tried against it').waitFor();
    await dialog.getByLabel('Address').fill('ftp://example.org');
    await dialog.getByLabel('Token').fill('A1');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('cannot be called').first().waitFor();
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('nothing sent yet').waitFor();

    await page.getByRole('button', { name: 'Test Night shift' }).click();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('the receiver responded with status 200').waitFor();
    await dialog.getByText('thank you').waitFor();
    expect(told).toEqual(['/hook/message']);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('last sent').waitFor();
    status = 401;
    await page.getByRole('button', { name: 'Test Night shift' }).click();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('Not delivered').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    // The secret is not shown, and stays.
    await page.getByRole('button', { name: 'More actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Token').inputValue()).toBe('');
    await dialog.getByLabel('Name').fill('Night watch');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Night watch').waitFor();
    expect((await client.listChannels())[0]).toMatchObject({ secretsSet: ['token'], channelName: 'Night watch' });

    await page.getByRole('button', { name: 'More actions for Night watch' }).click();
    await page.getByRole('menuitem', { name: 'Deliveries' }).click();
    await dialog.getByText('Failed').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.goto('/rules/new');
    await page.getByRole('button', { name: 'Add a person, a team or a channel' }).click();
    await page.locator('.pick-option', { hasText: 'Night watch (channel)' }).click();
    await page.getByLabel('What messages of channels have').selectOption('with the words');
    await page.getByText('beyond deletion').waitFor();
    await page.getByText('tell Night watch').waitFor();

    await page.goto('/devices/1?tab=settings');
    await page.getByLabel('Channels may name this device').check();
    const section = page.locator('section', { hasText: 'Messages that leave Earshot' });
    await section.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => client.getDeviceDisclosure({ params: { deviceID: 1 } })).toEqual({ isDisclosed: true });

    await page.getByText('This installation has no MQTT broker').waitFor();
    await page.getByLabel('Publish the state of this device').check();
    await page.locator('section', { hasText: 'Home Assistant' }).getByRole('button', { name: 'Save' }).click();
    const params = { deviceID: 1 };
    await expect
      .poll(() => client.getDevicePublication({ params }))
      .toEqual({
        isPublished: true,
        hasBroker: false,
        commands: [],
      });

    await page.goto('/channels');
    await page.getByRole('button', { name: 'More actions for Night watch' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete channel' }).click();
    await page.getByText('No channels yet').waitFor();
    expect(app.faults).toEqual([]);
    await page.context().close();
  });

  test('a channel is subscribed to changes, is shown to be behind, and is unsubscribed', async () => {
    status = 503;
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/changes`;
    const { key: channelID = 0 } = await client.createChannel({
      body: { channelName: 'Program', kind: 'webhook', settings: { url } },
    });
    const page = await app.open('/channels');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add subscription' }).click();
    await dialog.getByLabel('Channel').selectOption('Program');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Choose at least one change.').waitFor();
    for (const change of ['a device goes offline', 'a device changes']) {
      await dialog.getByRole('button', { name: 'Add a change' }).click();
      await dialog.getByRole('button', { name: change, exact: true }).click();
    }
    await dialog.getByRole('button', { name: 'Add a device' }).click();
    await dialog.getByRole('button', { name: 'North gate', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove a device goes offline' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('of North gate').waitFor();
    expect(await client.listSubscriptions()).toMatchObject([
      { channelID, changes: ['device.changed'], where: { deviceIDs: [1], collectionIDs: [] } },
    ]);
    await client.updateDevice({ params: { deviceID: 1 }, body: { deviceDescription: 'Changed' } });
    await expect.poll(() => told.includes('/changes')).toBe(true);
    await page.reload();
    await page.getByText('Behind since').waitFor();
    status = 200;
    await expect.poll(async () => (await client.listSubscriptions())[0]?.lastSentDate).toBeDefined();
    await page.getByRole('button', { name: 'Delete the subscription of Program' }).click();
    await page.getByText('Changes that a channel gets without a rule').waitFor();
    await expect.poll(() => client.listSubscriptions()).toEqual([]);
    await client.deleteChannel({ params: { channelID } });
    expect(app.faults).toEqual([]);
    await page.context().close();
  });

  test('mail may have the sound', async () => {
    const page = await app.open('/channels');
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My mail');
    await dialog.getByLabel('Kind').selectOption('E-mail');
    await dialog.getByLabel('Address').fill('me@example.org');
    await dialog.getByLabel('Attach the sound').check();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('My mail').waitFor();
    const settings = async () => (await client.listChannels())[0]?.settings;
    expect(await settings()).toEqual({ address: 'me@example.org', attachesSound: true });
    await page.getByRole('button', { name: 'More actions for My mail' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Attach the sound').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(settings).toEqual({ address: 'me@example.org' });
    await client.deleteChannel({ params: { channelID: (await client.listChannels())[0]?.key ?? 0 } });
    expect(app.faults).toEqual([]);
    await page.context().close();
  });

  test('presets are named for Home Assistant, and an admin allows those that need it', async () => {
    const member = (await app.server.addPerson()).session;
    const { key: deviceID = 0 } = await member.createDevice({ body: { deviceSerial: 'yard', deviceName: 'Yard' } });
    const addPreset = (eventType: string, eventPresetName: string) =>
      member.createEventPreset({ body: { deviceID, eventType, eventPresetName } });
    const { key: loud = 0 } = await addPreset('Start_recording', 'Record now');
    const { key: quiet = 0 } = await addPreset('Upload_audio_clips', 'Send all');
    const params = { deviceID };
    await member.setDevicePublication({ params, body: { isPublished: true, eventPresetIDs: [loud] } });
    const page = await app.open(`/devices/${deviceID}?tab=settings`, { size: phone, isStill: true });
    const section = page.locator('section', { hasText: 'Home Assistant' });
    await section.getByText('has no button until an admin allows it').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await section.getByRole('button', { name: 'Allow Record now' }).click();
    const commands = async () =>
      (await client.getDevicePublication({ params })).commands.map(({ eventPresetID, state }) => [
        eventPresetID,
        state,
      ]);
    await expect.poll(commands).toEqual([[loud, 'ready']]);
    await section.getByText('has no button').waitFor({ state: 'detached' });
    expect(await section.getByLabel('Record now').isChecked()).toBe(true);
    await section.getByLabel('Record now').uncheck();
    await section.getByLabel('Send all').check();
    await section.getByRole('button', { name: 'Save' }).click();
    await expect.poll(commands).toEqual([[quiet, 'ready']]);
    expect(app.faults).toEqual([]);
    await page.context().close();
  });

  test('a link of a message shows a page, and changes nothing before its button is pressed', async () => {
    for (const [path, button] of [
      ['/acknowledge', 'Acknowledge'],
      ['/confirm', 'Confirm'],
    ] as const) {
      const page = await app.open(`${path}#token=1.2.3`);
      await page.getByRole('button', { name: button, exact: true }).waitFor();
      expect(page.url()).not.toContain('token');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText('This link is wrong or has expired').waitFor();
      await page.context().close();
    }
  });

  test('a pushed message is shown while no page is open', async () => {
    const page = await app.open('/channels', { hasWorker: true });
    const context = page.context();
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // This Chromium has no screen, and permits no notifications: what would be on it is noted instead.
    await worker.evaluate(() => {
      const noted: unknown[] = [];
      Object.assign(globalThis, { noted });
      const registration = (globalThis as unknown as { ServiceWorkerRegistration: { prototype: object } })
        .ServiceWorkerRegistration;
      Object.assign(registration.prototype, {
        showNotification: async (title: string, options: object) => void noted.push({ title, ...options }),
      });
    });
    const blank = await context.newPage();
    const session = await context.newCDPSession(blank);
    const found = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(app.server.url));
        if (own) resolve(own.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const registrationId = await found;
    await page.close();
    const content = { title: 'Fire: North gate', body: 'Warning', tag: 'alert-12', path: '/alerts/12' };
    const data = JSON.stringify({ ...content, acknowledgeToken: '1.2.3' });
    await session.send('ServiceWorker.deliverPushMessage', { origin: app.server.url, registrationId, data });
    const shown = () => worker.evaluate(() => (globalThis as unknown as { noted: unknown[] }).noted);
    await expect.poll(shown).toMatchObject([
      {
        title: 'Fire: North gate',
        body: 'Warning',
        tag: 'alert-12',
        data: { path: '/alerts/12', acknowledgeToken: '1.2.3' },
        actions: [{ action: 'acknowledge' }],
      },
    ]);
    await context.close();
  });

  test.each([
    ['wide', wide],
    ['phone', phone],
  ] as const)('no axe violation and no overflow: %s', async (_name, size) => {
    await client.createChannel({
      body: {
        channelName: 'Night shift',
        kind: 'webhook',
        settings: { url: `https://example.org/${'long/'.repeat(40)}` },
      },
    });
    const page = await app.open('/channels', { size, isStill: true });
    const dialog = page.getByRole('dialog');
    const check = async () => {
      expect(await violationsOf(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    };
    await page.getByText('Night shift').first().waitFor();
    await check();
    await page.getByRole('button', { name: 'Add channel' }).click();
    for (const kind of ['Webhook', 'E-mail', 'Own template', 'ntfy']) {
      await dialog.getByLabel('Kind').selectOption(kind);
      await check();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Test Night shift' }).first().click();
    await check();
    await page.context().close();
  });
});
