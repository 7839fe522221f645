import { needs } from '@earshot/server/testing/needs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone } from './screens.ts';

const devices = 1_100;

describe('many devices in the console', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
    const { db, admin } = app.server;
    await db`
      insert into devices (user_id, device_name, device_serial)
      select ${admin.userID}, 'Recorder ' || lpad(n::text, 4, '0'), 'r-' || n from generate_series(1, ${devices}::int) n`;
  });
  afterAll(() => app.stop());

  const hasCount = (page: Page, text: string) => page.locator('.list-count', { hasText: text }).waitFor();
  const selectAll = async (page: Page) => {
    await page.getByLabel('Select all loaded rows').click();
    await page.getByRole('button', { name: `Select all ${devices.toLocaleString('en')}` }).click();
    await page.getByText(`${devices.toLocaleString('en')} devices selected`).waitFor();
  };

  test('more than 1,000 are added to a collection by one job, whose progress is shown', async () => {
    const { key: collectionID = 0 } = await app.server.admin.session.createCollection({
      body: { collectionName: 'Harbour' },
    });
    const page = await app.open('/devices');
    await hasCount(page, '1,100 devices');
    await selectAll(page);
    await page.getByRole('button', { name: 'Add to collection' }).click();
    await page.getByRole('dialog').getByLabel('Collection').selectOption('Harbour');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Add 1,100 devices to a collection: done.').waitFor();
    await page.goto(`/collections/${collectionID}`);
    await hasCount(page, '1,100 items');
    await page.context().close();
  });

  test('deleting goes on when the page is left; what failed is named, and copied', async () => {
    const { db } = app.server;
    const page = await app.open('/devices');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await hasCount(page, '1,100 devices');
    await selectAll(page);
    const [first, gone] = await db<{ key: number }[]>`select key from devices order by key limit 2`;
    await db.begin(async (tx) => {
      await tx`select 1 from devices where key = ${first?.key ?? 0} for update`;
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('0 of 1,100').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      // Somebody else deletes one of them.
      await tx`delete from devices where key = ${gone?.key ?? 0}`;
      await dialog.getByRole('link', { name: 'Bulk jobs' }).click();
      await page.getByRole('heading', { name: 'Delete 1,100 devices' }).waitFor();
      await page.getByText('In progress', { exact: true }).waitFor();
      await page.getByText('0 of 1,100').waitFor();
    });
    await page.getByText('Done for 1,099, failed for 1.').waitFor();
    await page.getByRole('button', { name: 'Show what failed' }).click();
    await page.getByText('Recorder 0002', { exact: true }).waitFor();
    await page.getByText(`There is no device ${gone?.key ?? 0}, or you may not see it.`).waitFor();
    await page.getByRole('button', { name: 'Copy the failures' }).click();
    await page.getByText('1 row copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Recorder 0002\tThere is no device/);
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('/devices');
    await page.getByText('No devices yet').waitFor();
    await page.context().close();
    expect(app.faults).toEqual([]);
  });

  test('a job is stopped on a phone', async () => {
    const { db, admin } = app.server;
    const [{ key } = { key: 0 }] = await db<{ key: number }[]>`
      insert into devices (user_id, device_name, device_serial) values (${admin.userID}, 'Last', 'last') returning key`;
    await db.begin(async (tx) => {
      await tx`select 1 from devices where key = ${key} for update`;
      await admin.session.startDeviceBulk({ body: { action: 'delete', deviceIDs: [key] } });
      const page = await app.open('/bulk-jobs', { size: phone });
      const card = page.getByRole('region', { name: /^Delete 1 device,/ });
      await card.getByRole('button', { name: 'Stop' }).click();
      await card.getByText('Done for 0, stopped before 1.').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.context().close();
    });
    expect((await admin.session.listOwnDevices()).map((device) => device.key)).toEqual([key]);
  });
});
