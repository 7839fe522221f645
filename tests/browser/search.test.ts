import type { Client } from '@earshot/client/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { intercept } from './intercept.ts';
import { phone } from './screens.ts';
import { speak } from './speech.ts';

const day = 86_400;
const noon = new Date().setHours(12, 0, 0, 0) / 1_000;

describe('the search page of the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    for (const [deviceSerial, deviceName] of [
      ['gate', 'North <gate>'],
      ['mole', 'East mole'],
    ] as const)
      await client.createDevice({ body: { deviceSerial, deviceName } });
    const { clipID } = await speak(client, 'gate', noon - 3 * day, 'The ferry leaves at nine.');
    await client.createAudioClipTag({ params: { audioClipID: clipID }, body: { tagName: 'bell' } });
    await speak(client, 'mole', noon - 2 * day, 'Ferry, ferry, ferry!');
    await speak(client, 'mole', noon - day, 'No boat today. The old ferry is in the dock, and so it stays there.');
    await speak(client, 'gate', noon - day, 'Good night.');
  });
  afterAll(() => app.stop());

  const snippets = '.hit-snippet';

  test('searches while typing, cancels outdated requests, and the address can be shared', async () => {
    const page = await app.open('/search');
    await page.getByText('Search all transcripts').waitFor();
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(request.postData() ?? ''));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await intercept(page, '**/search/caption?*', async (route) => {
      if (route.request().postData()?.includes('"fer"')) await held;
      await route.continue().catch(() => {});
    });
    const field = page.getByRole('searchbox', { name: 'Search transcripts' });
    const asked = page.waitForRequest((request) => (request.postData() ?? '').includes('"fer"'));
    await field.pressSequentially('fer');
    await asked;
    await field.pressSequentially('ry');
    await page.getByText('3 clips').waitFor();
    release();
    expect(ended.some((body) => body.includes('"fer"'))).toBe(true);
    expect(await page.locator(`${snippets} mark`).count()).toBe(5);

    await page.getByRole('button', { name: 'Relevance' }).click();
    await page.waitForURL(/q=ferry.*order=relevance/);
    await expect.poll(() => page.locator(snippets).first().textContent()).toBe('Ferry, ferry, ferry!');
    const { pathname, search } = new URL(page.url());
    const other = await app.open(pathname + search, { size: phone });
    await other.getByText('3 clips').waitFor();
    expect(await other.locator(snippets).first().textContent()).toBe('Ferry, ferry, ferry!');
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('a click filters by device, day and tag, and a chip removes the filter', async () => {
    const page = await app.open('/search?q=ferry');
    await page.getByText('3 clips').waitFor();
    await page.getByRole('button', { name: 'East mole 2' }).click();
    await page.getByText('2 clips').waitFor();
    await page.locator('.day').last().click();
    await page.getByText('1 clip', { exact: true }).waitFor();
    expect(await page.locator(snippets).textContent()).toContain('No boat today');
    expect(new URL(page.url()).searchParams.get('device')).toMatch(/^\d+$/);
    await page.goBack();
    await page.getByText('2 clips').waitFor();
    await page.getByRole('button', { name: 'Remove filter: East mole' }).click();
    await page.getByText('3 clips').waitFor();
    await page.getByRole('combobox', { name: 'Add a tag' }).selectOption('bell');
    await page.getByText('1 clip', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 clips').waitFor();
    await page.context().close();
  });

  test('filters that are typed become chips, also from an address; what nobody is called is said', async () => {
    const page = await app.open('/search?q=device:mole+ferry');
    await page.getByText('2 clips').waitFor();
    const chips = page.getByRole('list', { name: 'Active filters' });
    expect(await chips.getByRole('listitem').allTextContents()).toEqual(['East mole']);
    const field = page.getByRole('searchbox', { name: 'Search transcripts' });
    await expect.poll(() => field.inputValue()).toBe('ferry');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 clips').waitFor();
    // What a filter may mean is offered, and the arrow keys reach it.
    await field.fill('ferry device:no');
    await page.getByRole('list', { name: 'Filter by device' }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').textContent()).toBe('North <gate>');
    await page.keyboard.press('Enter');
    await page.getByText('1 clip', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe('ferry ');
    await page.keyboard.type('tag:bell after:2020-01-01 before:tomorrow');
    await page.keyboard.press('Enter');
    await page.getByText('“tomorrow” is no day').waitFor();
    expect(await chips.getByRole('listitem').count()).toBe(3);
    await field.fill('ferry before:2020-02-01');
    await page.keyboard.press('Enter');
    await page.getByText('No results').waitFor();
    await page.getByRole('button', { name: /^Remove filter: To Fri 31 Jan/ }).click();
    await page.getByText('1 clip', { exact: true }).waitFor();
    await page.context().close();
  });

  test('new transcripts appear in the results', async () => {
    const page = await app.open('/search?q=lighthouse');
    await page.getByText('No results').waitFor();
    const { clipID } = await speak(client, 'mole', noon - 4 * day, 'The Lighthouse keeper waves.');
    await page.locator('mark', { hasText: 'Lighthouse' }).waitFor();
    await client.correctCaption({ params: { captionID: clipID }, body: { transcript: 'Nothing.' } });
    await page.getByText('No results').waitFor();
    await page.context().close();
  });

  test('a search is saved, run, renamed and removed', async () => {
    const page = await app.open('/search?q=ferry&order=asc');
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('<b>Ferries</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.goto('/search');
    await page.getByRole('link', { name: '<b>Ferries</b>' }).click();
    await page.getByText('3 clips').waitFor();
    await page.getByRole('button', { name: 'More actions for <b>Ferries</b>' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Boats');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Boats' }).waitFor();
    expect(await client.listSavedSearches()).toMatchObject([{ searchName: 'Boats', search: { searchText: 'ferry' } }]);
    await page.getByRole('button', { name: 'More actions for Boats' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Boats' }).waitFor({ state: 'detached' });
    await page.goto('/');
    await expect.poll(() => client.listSavedSearches()).toEqual([]);
    await page.context().close();
  });

  test('the key / opens it from every page', async () => {
    const page = await app.open('/devices');
    await page.getByText('East mole').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('"old ferry"');
    await page.keyboard.press('Enter');
    await page.getByText('1 clip', { exact: true }).waitFor();
    expect(await page.locator('mark').textContent()).toBe('old ferry');
    await page.keyboard.press('Escape');
    const small = await app.open('/settings', { size: phone });
    await small.getByRole('heading', { name: 'Settings' }).waitFor();
    await small.keyboard.press('/');
    await small.waitForURL('**/search');
    await Promise.all([page.context().close(), small.context().close()]);
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
