import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone } from './screens.ts';
import { speak } from './speech.ts';

const deviceCount = 2_000;
const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;

describe('the timeline of hundreds of devices', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let ferryID: number;
  beforeAll(async () => {
    app = await startConsole({}, undefined, ['--autoplay-policy=no-user-gesture-required']);
    client = app.server.admin.session;
    ({ key: ferryID = 0 } = await client.createDevice({ body: { deviceSerial: 'ferry', deviceName: 'A ferry' } }));
    await speak(client, 'ferry', hourAgo, 'The ferry leaves at nine.');
    await app.server.db`
      insert into devices (user_id, device_serial, device_name)
      select ${app.server.admin.userID}, 'fleet-' || n, 'Device ' || lpad(n::text, 4, '0')
      from generate_series(1, ${deviceCount - 1}::int) n`;
    for (let n = 0; n < 60; n += 1) await client.createCollection({ body: { collectionName: `Region ${n + 10}` } });
    await app.server.db`
      insert into collection_items (collection_id, device_id, user_id, placed_by_admin)
      select c.key, d.key, ${app.server.admin.userID}, true
      from (select key, row_number() over (order by key) as n from devices) d
      join (select key, row_number() over (order by key) as n from collections) c on c.n = 1 + d.n % 60`;
    await app.server.db`
      insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, audio_clip_type_id)
      select d.key, ${hourAgo}::bigint * 1000 - n * 86400000, ${hourAgo}::bigint * 1000 - n * 86400000 + 60000, 0, 0
      from devices d cross join generate_series(1, 3) n where d.key <> ${ferryID}`;
  });
  afterAll(() => app.stop());

  const rows = (page: Page) => page.locator('.fleet-row');
  const readout = (page: Page) => page.locator('.fleet-readout');

  test.each([
    ['a wide screen', undefined],
    ['a phone', phone],
  ])('on %s few rows are rendered and few requests are sent, also after scrolling to the end', async (_name, size) => {
    const page = await app.open('/settings', size ? { size } : {});
    let requests = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/')) requests += 1;
    });
    await page.goto('/timeline');
    await rows(page).first().locator('.fleet-name', { hasText: 'Device' }).waitFor();
    await page.waitForTimeout(1_000);
    expect(requests).toBeLessThanOrEqual(15);
    expect(await rows(page).count()).toBeLessThanOrEqual(150);
    expect(
      await rows(page)
        .first()
        .evaluate((row) => row.getBoundingClientRect().height),
    ).toBe(20);
    expect(await rows(page).first().getAttribute('aria-setsize')).toBe(String(deviceCount));
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const before = requests;
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.locator(`.fleet-row[data-row="${deviceCount - 1}"] .fleet-name`, { hasText: 'Device' }).waitFor();
    expect(await rows(page).count()).toBeLessThanOrEqual(150);
    expect(requests - before).toBeLessThanOrEqual(4);
    await page.context().close();
  });

  test('the keyboard reads each day and opens the day of a device', async () => {
    const page = await app.open('/timeline?find=ferry');
    await rows(page).getByText('A ferry').waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('application').focus();
    await readout(page).getByText('1 clip', { exact: false }).waitFor();
    await readout(page).getByText('The ferry leaves at nine.').waitFor();
    await page.keyboard.press('ArrowLeft');
    await readout(page).getByText('no clips').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/timeline\\?devices=${ferryID}&day=`));
    await page.getByText('1 clip', { exact: true }).waitFor();
    await page.goBack();
    await rows(page).getByText('A ferry').waitFor();
    await page.context().close();
  });

  test('a clip of a minute is visible in a day, pointing shows its words and plays it if that was allowed', async () => {
    const page = await app.open('/timeline?find=ferry&span=day');
    const strip = rows(page).locator('.fleet-strip');
    await expect.poll(() => strip.evaluate((row: HTMLElement) => row.style.backgroundImage)).toContain('--heat-1');
    const { x = 0, y = 0, width = 0 } = (await strip.boundingBox()) ?? {};
    const at = new Date(hourAgo * 1_000);
    const part = (at.getHours() * 60 + at.getMinutes() + 0.5) / 1_440;
    await page.mouse.move(x + width * part, y + 8);
    await readout(page).getByText('The ferry leaves at nine.').waitFor();
    await page.waitForTimeout(600);
    expect(await page.locator('.player-bar').count()).toBe(0);
    await page.getByRole('button', { name: 'Play what I point at' }).click();
    await page.mouse.move(x + width * part, y + 9);
    await page.locator('.player-bar').getByText('A ferry').waitFor();
    await page.context().close();
  });

  test('a collection and a day are chosen with a picker of our own', async () => {
    const page = await app.open('/timeline?view=fleet');
    await rows(page).getByText('A ferry').waitFor();
    const day = page.getByRole('button', { name: /^Day: / });
    await day.click();
    const dialog = page.getByRole('dialog', { name: 'Day' });
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    const chosen = await page.locator(':focus').getAttribute('data-day');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('day') === chosen);
    expect(await page.locator(':focus').textContent()).toContain(chosen?.slice(0, 4));
    await day.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
