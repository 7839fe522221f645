import type { Page } from 'playwright-core';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole, watch } from './console.ts';
import { overEdge } from './edges.ts';
import { phone, wide } from './screens.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

describe('keys of devices, in the console', needs('chromium'), () => {
  let app: Console;
  let deviceID: number;
  beforeAll(async () => {
    app = await startConsole();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const { session } = app.server.admin;
    deviceID = (await session.createDevice({ body: { deviceSerial: `gate-${crypto.randomUUID()}` } })).key ?? 0;
  });

  const accessOfKeys = async () => {
    const keys = await app.server.admin.session.listDeviceKeys({ params: { deviceID } });
    return keys.map(({ isWriteOnly }) => isWriteOnly);
  };

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: a key from before can read, and becomes write-only with one click', async (_name, size) => {
    await app.server.admin.session.createDeviceKey({ params: { deviceID }, body: {} });
    const page = await app.open(`/devices/${deviceID}?tab=settings`, { size });
    await page.getByText('Can read', { exact: true }).waitFor();
    expect([...(await violationsOf(page)), ...(await overEdge(page))]).toEqual([]);
    await press(page, /^Make write-only/);
    await page.getByText('Write-only', { exact: true }).waitFor();
    await press(page, 'Undo');
    await page.getByText('Can read', { exact: true }).waitFor();
    expect(await accessOfKeys()).toEqual([false]);
    await press(page, /^Make write-only/);
    await page.getByText('Write-only', { exact: true }).waitFor();
    expect([...(await violationsOf(page)), ...(await overEdge(page))]).toEqual([]);
    await page.close({ runBeforeUnload: false });
    await expect.poll(accessOfKeys).toEqual([true]);
    await page.context().close();
  });

  test('new keys are write-only, unless one that can read is asked for', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=settings`);
    await press(page, /^Create key$/);
    await page.getByText('Copy it now').waitFor();
    expect(await accessOfKeys()).toEqual([true]);
    await page.keyboard.press('Escape');
    await press(page, 'Create key that can read');
    await page.getByText('Copy it now').waitFor();
    expect(await accessOfKeys()).toEqual([false, true]);
    await page.context().close();
  });

  test('the key of "Connect a recorder" is write-only', async () => {
    const page = await app.open('/connect?with=curl');
    await press(page, 'Make a key');
    await page.getByText('reads no recordings').waitFor();
    const [device] = await app.server.admin.session.listDevices({ body: { searchText: 'Recorder' } });
    deviceID = device?.key ?? 0;
    expect(await accessOfKeys()).toEqual([true]);
    await page.context().close();
  });

  test('signing in over plain http says where to sign in, if the public address is https', async () => {
    const port = await findFreePort();
    await app.server.addNode({ publicOrigin: 'https://earshot.example.org', port });
    const page = await watch(await app.browser.newContext(), app.faults);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await press(page, 'Sign in');
    await page.getByText('Open https://earshot.example.org and sign in there.').waitFor();
    await page.context().close();
  });
});
