import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { needs } from '@earshot/server/testing/needs';
import { personPassword } from '@earshot/server/testing/person';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

const devices = 300;
const nameAt = (at: number) => `Recorder ${String(at).padStart(3, '0')}`;

describe('tables in the console', needs('chromium'), () => {
  let app: Console;
  let reader: string;
  beforeAll(async () => {
    app = await startConsole();
    const { db, admin } = app.server;
    await db`
      insert into devices (user_id, device_name, device_serial)
      select ${admin.userID}, 'Recorder ' || lpad(n::text, 3, '0'), 'r-' || n from generate_series(1, ${devices}::int) n`;
    await db`
      update device_summaries s set battery_percent = d.key % 100 from devices d
      where d.key = s.device_id and d.device_name > 'Recorder 100'`;
    const person = await app.server.addPerson();
    reader = person.email;
    const { key: collectionID = 0 } = await admin.session.createCollection({ body: { collectionName: 'Quay' } });
    const { results } = await admin.session.listDevicePage({ body: { count: 150 } });
    const itemIDs = results.map(({ key }) => key);
    const add = (itemType: 'device' | 'user', keys: number[]) =>
      admin.session.addCollectionItems({ params: { collectionID }, body: { itemType, itemIDs: keys } });
    await add('device', itemIDs);
    await add('user', [person.userID]);
  });
  afterAll(() => app.stop());

  const focusedRow = (page: Page) =>
    page.evaluate(() => document.activeElement?.querySelector('a')?.textContent ?? document.activeElement?.tagName);
  const hasCount = (page: Page, text: string) => page.locator('.list-count', { hasText: text }).waitFor();

  test('shows few rows of many, counts all, and is used with the keyboard alone', async () => {
    const page = await app.open('/devices', { size: { width: 1920, height: 1080 } });
    await hasCount(page, '300 devices');
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('301');
    expect(await page.locator('.table-row').count()).toBeLessThan(60);
    const onScreen = await page
      .locator('.table-row')
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
    expect(onScreen).toBeGreaterThanOrEqual(25);

    await page.locator('.table-row').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await focusedRow(page)).toBe(nameAt(2));
    // The focused row stays while it is scrolled away.
    await page.mouse.wheel(0, 4_000);
    await page.getByText(nameAt(130)).waitFor();
    expect(await focusedRow(page)).toBe(nameAt(2));
    await page.keyboard.press('ArrowDown');
    expect(await focusedRow(page)).toBe(nameAt(3));
    await page.keyboard.press('End');
    await expect.poll(() => focusedRow(page)).toBe(nameAt(300));
    await page.keyboard.press('Home');
    await expect.poll(() => focusedRow(page)).toBe(nameAt(1));

    await page.keyboard.press(' ');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 devices selected').waitFor();
    expect(await page.locator('[aria-selected="true"]').count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('3 devices selected').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: nameAt(4) }).waitFor();
    await page.goBack();
    await hasCount(page, '300 devices');
    await page.context().close();
  });

  test('is sorted and filtered by its address; columns, height and views are kept for the person', async () => {
    const page = await app.open('/devices');
    await hasCount(page, '300 devices');
    await page.getByRole('button', { name: 'Battery' }).click();
    await page.waitForURL(/sort=batteryPercent/);
    const batteries = async () => (await page.locator('.table-row .table-cell.number').allTextContents()).length;
    await expect.poll(batteries).toBeGreaterThan(0);
    expect(await page.getByRole('columnheader', { name: 'Battery' }).getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Battery' }).click();
    await page.waitForURL(/sort=-batteryPercent/);
    await page.getByLabel('State').selectOption('Online');
    await page.getByText('No matching devices').waitFor();
    await page.getByLabel('State').selectOption('Never heard');
    await hasCount(page, '300 devices');

    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Serial').uncheck();
    await dialog.getByRole('button', { name: 'Comfortable' }).click();
    await dialog.getByLabel('Save the filters').fill('Low batteries');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByText('Low batteries').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('columnheader', { name: 'Serial' }).waitFor({ state: 'detached' });

    const other = await app.open('/devices');
    await other.locator('.table.comfortable').waitFor();
    expect(await other.getByRole('columnheader', { name: 'Serial' }).count()).toBe(0);
    await other.getByLabel('View').selectOption('Low batteries');
    await other.waitForURL(/sort=-batteryPercent.*state=neverHeard|state=neverHeard.*sort=-batteryPercent/);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('all rows are exported, and many are added to a collection, which names those it could not add', async () => {
    const page = await app.open('/devices?find=Recorder%202');
    await hasCount(page, '100 devices');
    await page.getByRole('button', { name: 'Copy or export the list' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export all rows (CSV)' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(101);
    expect(lines[1]).toContain(nameAt(200));

    const { key: collectionID = 0 } = await app.server.admin.session.createCollection({
      body: { collectionName: 'Two hundreds' },
    });
    await page.getByLabel('Select all loaded rows').click();
    await page.getByText('100 devices selected').waitFor();
    await page.getByRole('button', { name: 'Add to collection' }).click();
    await page.getByRole('dialog').getByLabel('Collection').selectOption('Two hundreds');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('100 items added to “Two hundreds”.').waitFor();

    await page.goto(`/collections/${collectionID}`);
    await hasCount(page, '100 items');
    await page.getByRole('button', { name: 'Add devices' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('Recorder 1');
    await dialog.getByRole('button', { name: 'Choose all 100' }).click();
    await dialog.getByText('100 chosen.').waitFor();
    await dialog.getByRole('button', { name: 'Add 100' }).click();
    await hasCount(page, '200 items');
    expect(await violationsOf(page)).toEqual([]);

    await page.locator('.table-row').first().focus();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Remove from the collection' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await hasCount(page, '199 items');
    await page.context().close();
  });

  test('on a phone: rows of two lines, filters in a sheet', async () => {
    const page = await app.open('/devices', { size: phone });
    await hasCount(page, '300 devices');
    expect(await page.locator('.table-row').first().locator('.table-lines > *').count()).toBe(2);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('dialog').getByLabel('State').selectOption('Silent');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('No matching devices').waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('presets, keys and people are tables: sorted, found, changed and counted as devices are', async () => {
    const { db, admin } = app.server;
    await db`
      insert into event_presets (user_id, device_id, event_type_id, event_preset_name)
      select ${admin.userID}, key, 1, 'Dawn at ' || device_name from devices`;
    await db`
      insert into api_keys (user_id, description, access_key, secret_key)
      select ${admin.userID}, 'Export ' || lpad(n::text, 3, '0'), 'ak-' || n, '\\x00' from generate_series(1, 120) n`;
    const page = await app.open('/presets');
    await hasCount(page, '300 presets');
    expect(await page.locator('.table-row').count()).toBeLessThan(80);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.waitForURL(/sort=-eventPresetName/);
    await page.locator('.table-row', { hasText: `Dawn at ${nameAt(300)}` }).waitFor();
    await page.getByLabel('Search by name, type, device or collection').fill('recorder 04');
    await hasCount(page, '10 presets');
    const row = page.locator('.table-row', { hasText: `Dawn at ${nameAt(41)}` });
    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Dusk');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await hasCount(page, '10 presets');
    await page.locator('.table-row', { hasText: 'Dusk' }).getByRole('button', { name: 'Run Dusk' }).click();
    await page.getByText('Dusk is queued.').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await page.goto('/keys');
    await hasCount(page, '120 keys');
    await page.getByLabel('Last use').selectOption('Not for 90 days');
    await page.waitForURL(/use=unused/);
    await hasCount(page, '120 keys');
    await page.getByLabel('Keys', { exact: true }).selectOption('Of devices');
    await page.getByText('No matching keys').waitFor();
    await page.goto('/people?find=example');
    await page.locator('.table-row').first().waitFor();
    await page.getByLabel('Role').selectOption('Admins');
    await hasCount(page, '1 person');
    await page.context().close();
  });

  test('on a phone, a preset is two lines and what can be done with it', async () => {
    const page = await app.open('/presets', { size: phone, isStill: true });
    await hasCount(page, '300 presets');
    const row = page.locator('.table-row').first();
    expect(await row.locator('.table-lines > *').count()).toBe(2);
    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('somebody who only reads is offered no change', async () => {
    const page = await app.open('/devices', { email: reader, password: personPassword, size: wide });
    await hasCount(page, '150 devices');
    await page.locator('.table-row').first().focus();
    await page.keyboard.press(' ');
    await page.getByText('1 device selected').waitFor();
    const bar = page.getByRole('region', { name: 'Selected devices' });
    expect(await bar.getByRole('button', { name: /Send an event|Delete/ }).count()).toBe(0);
    await page.goto('/collections');
    await page.getByText('Quay').click();
    await hasCount(page, '151 items');
    expect(await page.getByRole('button', { name: /^(Add|Share)/ }).count()).toBe(0);
    // Their own place in the collection is what they may give up.
    await page.getByLabel(`Select ${nameAt(5)}`).click();
    await page.locator('[aria-selected="true"]').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await page.context().close();
    expect(app.faults).toEqual([]);
  });
});
