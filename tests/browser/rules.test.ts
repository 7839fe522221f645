import type { Client } from '@earshot/client/client';
import { needs } from '@earshot/server/testing/needs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { intercept } from './intercept.ts';
import { speak } from './speech.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);
const mostTabs = 150;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  for (let times = 0; times < mostTabs; times += 1) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

describe('rules in the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let gate: number;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const body = { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false };
    gate = (await client.createDevice({ body })).key ?? 0;
    await client.createDevice({ body: { deviceSerial: 'mole', deviceName: 'East mole', autoCaption: false } });
    await speak(client, 'gate', now - 3 * day, 'There is a structure fire at the mill.');
    await speak(client, 'gate', now - 2 * day, 'Another structure fire, send the trucks.');
    await speak(client, 'mole', now - day, 'A structure without fire, on the east mole.');
    await speak(client, 'mole', now - 40 * day, 'An old structure fire.');
  });
  afterAll(() => app.stop());

  test('a rule is written by keyboard, tried while it is typed, saved, and then tells what it found', async () => {
    const page = await app.open('/rules');
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('region', { name: 'Built in' }).getByText('Device offline').waitFor();
    await tabTo(page, page.getByRole('link', { name: 'New rule' }));
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to try yet').waitFor();
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('Fires');
    await tabTo(page, page.getByRole('textbox', { name: 'Words' }));
    await page.keyboard.type('structure fire');
    await page.getByText('3 clips in 3 alerts').waitFor();
    const forms = () => page.locator('.rule-forms').textContent();
    expect(await forms()).toContain('structures');
    await expect.poll(forms).toContain('structure (3) or structures (0)');
    expect(await page.locator('.trial mark').allTextContents()).toContain('structure');

    // In quotes only the two that say exactly so.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('"structure fire"');
    await page.getByText('2 clips in 2 alerts').waitFor();
    await expect.poll(forms).toContain('“structure fire” (2) exactly so. In brackets: clips of the last 30 days');
    await page.getByText('When any device says “structure fire”: tell me.').waitFor();

    await tabTo(page, page.getByRole('button', { name: 'Add a condition with but not' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Condition');
    await page.keyboard.press('Tab');
    await page.keyboard.type('mill');
    await page.getByText('1 clip in 1 alert').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Add an action' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Action');
    await page.getByRole('combobox', { name: 'Action' }).last().selectOption('tag the clip');
    await tabTo(page, page.getByRole('textbox', { name: 'Tag to put' }));
    await page.keyboard.type('fire');
    await tabTo(page, page.getByRole('button', { name: 'Save and watch' }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/rules\/\d+$/);
    await page.getByRole('heading', { name: 'Fires' }).waitFor();
    const rule = (await client.listRules()).find(({ ruleName }) => ruleName === 'Fires');
    expect(rule).toMatchObject({
      ruleName: 'Fires',
      when: { all: [{ words: '"structure fire"' }, { none: [{ words: 'mill' }] }] },
      actions: [{ action: 'notify' }, { action: 'tag', tagName: 'fire' }],
    });

    await page.getByText('No matches yet').waitFor();
    await speak(client, 'gate', now - 60, 'Structure fire at the harbour.');
    await page.getByText('Structure fire at the harbour.').waitFor();
    await page.getByText('tagged fire').waitFor();
    await page.getByRole('button', { name: 'Why, and when' }).click();
    await page.getByText('The rule matches this clip.').waitFor();
    expect(await page.locator('.explained li').allTextContents()).toEqual([
      expect.stringContaining('TrueWhere: any device'),
      expect.stringContaining('It says “structure fire”'),
      expect.stringContaining('TrueIt does not say “mill”'),
    ]);

    // The bell has told it meanwhile, without a sound, and leads to the alert.
    await page.getByRole('button', { name: /^Bell 1 unread/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Bell' });
    await dialog.getByRole('link', { name: /Fires: North gate/ }).click();
    await page.getByRole('heading', { name: 'Fires' }).waitFor();
    await page.getByRole('button', { name: 'Play all in order' }).waitFor();
    await page.getByText('People were told').waitFor();
    await page.getByRole('button', { name: 'Bell', exact: true }).waitFor();
    await page.context().close();
  });

  test('what the server says of a wrong rule stands at its part, and what is typed next is tried instead', async () => {
    const page = await app.open('/rules/new');
    const condition = page.getByRole('combobox', { name: 'Condition' });
    await condition.selectOption('has any sound');
    const where = page.getByRole('group', { name: 'Where' });
    await where.getByText('Is required with anySound alone').waitFor();
    await page.getByRole('button', { name: /^Add a device/ }).click();
    await page.getByRole('button', { name: 'North gate', exact: true }).click();
    await page.getByText(/ in \d+ alerts?$/).waitFor();
    await where.getByText('Is required with').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Remove North gate' }).click();
    await expect.poll(() => focused(page)).toMatch(/^Add a device/);
    await page.getByRole('button', { name: 'Save and watch' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  test('a trial that another one ended can be run again; the one before is cancelled while typing', async () => {
    const page = await app.open('/rules/new');
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(request.postData() ?? ''));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await intercept(page, '**/rule/trial', async (route) => {
      if (route.request().postData()?.includes('"str"')) await held;
      await route.continue().catch(() => {});
    });
    const words = page.getByRole('textbox', { name: 'Words' });
    const asked = page.waitForRequest((request) => (request.postData() ?? '').includes('"str"'));
    await words.fill('str');
    await asked;
    await words.fill('structure');
    await page.getByText('4 clips in').waitFor();
    release();
    expect(ended.some((body) => body.includes('"str"'))).toBe(true);

    await page.route('**/rule/trial', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: '{"status":409,"title":"Conflict"}',
      }),
    );
    await words.fill('fire');
    await page.getByText('This trial was ended').waitFor();
    await page.unroute('**/rule/trial');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('4 clips in').waitFor();
    await page.context().close();
  });

  test('a rule with parts that the sentence cannot show is edited as JSON, which the server checks', async () => {
    const page = await app.open('/rules/new');
    await page.getByRole('button', { name: 'JSON' }).click();
    const json = page.getByRole('textbox', { name: 'Rule as JSON' });
    await json.fill('{ "ruleName": ');
    await page.getByText('This is no JSON yet.').waitFor();
    await json.fill('{ "ruleName": "Loud", "forSeconds": 30, "when": { "words": "fire" } }');
    await page.getByText('This rule has parts that the sentence cannot show').waitFor();
    await page.getByText('forSeconds is for rules about the state of a device').waitFor();
    await json.fill('{ "ruleName": "Loud", "when": { "levelDb": { "min": -90 } } }');
    await page.getByRole('button', { name: 'Sentence' }).click();
    await page.getByText('When any device has a level of at least −90 dBFS: only note it.').waitFor();
    await page.getByRole('button', { name: 'Save and watch' }).click();
    await page.getByRole('heading', { name: 'Loud' }).waitFor();
    await page.context().close();
  });

  test('a rule about a state of devices is written as a sentence', async () => {
    const page = await app.open('/rules/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Empty battery');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('has a battery');
    await page.getByText('When any device has less than 20 % of its battery: tell me.').waitFor();
    await page.getByRole('spinbutton', { name: 'Below, percent' }).fill('101');
    const how = page.getByRole('group', { name: 'How the device is' });
    await how.getByText(/^Must be/).waitFor();
    await page.getByRole('spinbutton', { name: 'Below, percent' }).fill('35');
    await page.getByText('When any device has less than 35 % of its battery').waitFor();
    await page.getByRole('spinbutton', { name: 'Minutes that it must last' }).fill('10');
    await page.getByRole('button', { name: 'Add an action' }).click();
    const actions = await page.getByRole('combobox', { name: 'Action' }).last().locator('option').allTextContents();
    expect(actions).toEqual(['tell', 'run a preset']);
    await page.getByRole('button', { name: 'Remove action 2' }).click();
    await page.getByText('0 times in 0 alerts').waitFor();
    await page.getByRole('button', { name: 'Save and watch' }).click();
    await page.getByRole('heading', { name: 'Empty battery' }).waitFor();
    const stored = (await client.listRules()).find(({ ruleName }) => ruleName === 'Empty battery');
    expect(stored).toMatchObject({ when: { state: 'lowBattery', belowPercent: 35 }, forSeconds: 600 });
    await page.context().close();
  });

  test('a rule is muted, switched off, changed, and deleted with Undo; its versions are kept', async () => {
    const page = await app.open('/rules');
    const row = page.getByRole('listitem').filter({ hasText: 'Fires' });
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More actions for Fires' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await row.getByText(/last match/).waitFor();
    await choose('Mute for an hour');
    await row.getByText(/^Muted until/).waitFor();
    await choose('Unmute');
    await row.getByText('On', { exact: true }).waitFor();
    await choose('Switch off');
    await row.getByText('Off', { exact: true }).waitFor();
    await choose('Delete');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Fires of the town');
    await page.getByRole('link', { name: 'Matches' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Fires of the town' }).waitFor();

    // Somebody else changes it meanwhile: nothing is overwritten.
    const rule = (await client.listRules()).find(({ ruleName }) => ruleName === 'Fires of the town');
    const params = { ruleID: rule?.key ?? 0 };
    await client.updateRule({ params, body: { version: rule?.version ?? 0, severity: 'critical' } });
    await name.fill('Fires of the city');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The rule was changed meanwhile').waitFor();
    await page.getByRole('button', { name: 'Show the present version' }).click();
    await expect.poll(() => name.inputValue()).toBe('Fires of the town');
    expect(await page.getByRole('combobox', { name: 'Severity' }).inputValue()).toBe('critical');
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('Version 4 (present): Fires of the town').waitFor();
    await page.context().close();
  });

  test('unsaved changes are asked about before the page is left', async () => {
    const page = await app.open('/rules/new');
    await page.getByRole('textbox', { name: 'Words' }).fill('fire');
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByRole('textbox', { name: 'Words' }).inputValue()).toBe('fire');
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await page.context().close();
  });

  test('"Watch this search" makes a rule of a search, and a clip tells why a rule did not match', async () => {
    const page = await app.open(`/search?q=fire&device=${gate}`);
    await page.getByRole('link', { name: 'Watch this search' }).click();
    await page.getByText('When North gate says “fire”: tell me.').waitFor();
    await page.getByText('3 clips in').waitFor();
    await page.getByRole('button', { name: 'Save and watch' }).click();
    await page.getByRole('heading', { name: 'fire' }).waitFor();
    const { results } = await client.searchCaptions({ query: {}, body: { searchText: 'east mole' } });
    await page.goto(`/clips/${results[0]?.key}`);
    await page.getByRole('combobox', { name: 'Why did this rule match, or not?' }).selectOption({ label: 'fire' });
    await page.getByText('The rule does not match this clip.').waitFor();
    await page.getByText('The rule does not look at this device').waitFor();
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
