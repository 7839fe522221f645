import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

const hostileName = '<img src=x onerror=alert(1)> مرحبا 🎙';

describe('devices in the console', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
  });
  afterAll(() => app.stop());

  test.each([
    ['a wide screen', wide, 'recorder-wide'],
    ['a phone', phone, 'recorder-phone'],
  ])('on %s: a device is added, and comes online when its agent runs the command', async (_name, size, serial) => {
    const page = await app.open('/devices', { size });
    await page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Serial').fill('no good');
    await page.getByRole('button', { name: 'Add device' }).click();
    await dialog.locator('.problem', { hasText: '1 to 64 letters' }).waitFor();

    await dialog.getByLabel('Serial').fill(serial);
    await dialog.getByLabel('Name').fill(hostileName);
    await page.getByRole('button', { name: 'Add device' }).click();
    await page.getByText('Waiting for the first contact').waitFor();
    const command = (await page.locator('dialog pre').first().textContent()) ?? '';
    const [, access, secret] = /-u '([^:]+):([^']+)'/.exec(command) ?? [];
    const body = /-d '(.+)'$/.exec(command)?.[1];
    const { status } = await fetch(`${app.server.url}/v1/agent`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${access}:${secret}`).toString('base64')}`,
      },
      body: body!,
    });
    expect(status).toBe(200);
    await page.getByText('The device is online.').waitFor();

    await page.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: serial });
    await row.getByText('Online').waitFor();
    expect(await row.getByRole('link').textContent()).toBe(hostileName);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.context().close();
  });

  test('are filtered while typing, and the address has the search text', async () => {
    for (const serial of ['roof-1', 'roof-2', 'cellar-1']) {
      await app.server.admin.session.createDevice({ body: { deviceSerial: serial } });
    }
    const page = await app.open('/devices');
    await page.getByText('cellar-1').first().waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('roof');
    await page.getByText('cellar-1').first().waitFor({ state: 'detached' });
    expect(await page.locator('.table-row').count()).toBe(2);
    await page.getByLabel('State').selectOption('Never heard');
    await page.waitForURL(/find=roof.*state=neverHeard/);

    const other = await app.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await other.getByText('roof-2').first().waitFor();
    expect(await other.locator('.table-row').count()).toBe(2);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
