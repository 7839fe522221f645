import type { Client } from '@earshot/client/client';
import { waitMs } from '@earshot/server/testing/limits';
import { needs } from '@earshot/server/testing/needs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { phone, wide } from './screens.ts';
import { speak } from './speech.ts';
import { keyboardFaults } from './tab-stops.ts';

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

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return [...(await violationsOf(page)), ...(await overEdge(page)), ...(await keyboardFaults(page))];
}

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
    await tabTo(page, page.getByRole('link', { name: 'New rule' }));
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to try yet').waitFor();
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('Fires');
    await tabTo(page, page.getByRole('textbox', { name: 'Words' }));
    await page.keyboard.type('structure fire');
    await page.getByText('3 clips in 3 alerts').waitFor();
    expect(await page.locator('.rule-forms').textContent()).toContain('structures');
    expect(await page.locator('.trial mark').allTextContents()).toContain('structure');

    // In quotes only the two that say exactly so.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('"structure fire"');
    await page.getByText('2 clips in 2 alerts').waitFor();
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
    const [rule] = await client.listRules();
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

  test('an alert is played, assigned, noted, closed and downloaded', async () => {
    const page = await app.open('/alerts');
    await page.getByText('1 alert', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Fires/ }).click();
    await page.getByRole('button', { name: 'Play all in order' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Assigned to' }).selectOption({ index: 1 });
    await page.getByRole('textbox', { name: 'Note' }).fill('<b>An exercise</b>');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('<b>An exercise</b>').waitFor();
    const loading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Report' }).click();
    const file = await loading;
    expect(file.suggestedFilename()).toMatch(/\.html$/);
    await page.getByRole('button', { name: 'Closed' }).click();
    await page.getByText('Closed by you').waitFor();
    const { results } = await client.listRuleAlerts({ body: {} });
    expect(results).toMatchObject([{ state: 'closed', assigneeID: expect.any(Number) }]);
    await page.goto('/alerts');
    await page.getByText('No open alerts').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('closed');
    await page.getByText('1 alert', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('closed');
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
    await page.route('**/rule/trial', async (route) => {
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

  test('quiet hours, other people’s rules and the sound are set in the settings', async () => {
    const page = await app.open('/settings');
    await page.getByRole('button', { name: 'Add quiet hours' }).click();
    await page.getByLabel('From', { exact: true }).fill('23:00');
    await page.getByRole('checkbox', { name: 'Not by other people’s rules' }).check();
    const section = page.getByRole('region', { name: 'Bell' });
    await section.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await client.getBellManners()).toMatchObject({
      refusesOthers: true,
      quietTimes: [{ from: '23:00', to: '06:00' }],
    });
    await page.reload();
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('23:00');
    expect(await page.getByRole('checkbox', { name: 'Play a sound' }).isChecked()).toBe(false);
    await page.context().close();
  });

  test('an admin allows a loud action of a member', async () => {
    const { email, userID, client: member } = await memberWithRule();
    const page = await app.open('/rules');
    await page.getByText('Actions that wait for you').waitFor();
    await page.getByRole('button', { name: /^Allow: Restart/ }).click();
    await page.getByText('Allowed, until').waitFor();
    expect(await member.listRuleAllowances()).toMatchObject([{ state: 'allowed', userID }]);
    const theirs = await app.open('/rules', { email, password: 'a password for tests' });
    await theirs.getByText('Restarts').waitFor();
    await Promise.all([page.context().close(), theirs.context().close()]);
  });

  async function memberWithRule() {
    const person = await app.server.addPerson();
    const { client: member } = await person.withKey();
    const { key: deviceID = 0 } = await member.createDevice({ body: { deviceSerial: 'roof', autoCaption: false } });
    const preset = await member.createEventPreset({
      body: { deviceID, eventType: 'Reboot', eventPresetName: 'Restart it' },
    });
    await member.createRule({
      body: {
        ruleName: 'Restarts',
        when: { words: 'restart' },
        actions: [{ action: 'runPreset', eventPresetID: preset.key ?? 0 }],
      },
    });
    return { ...person, client: member };
  }

  const places = async (): Promise<readonly string[]> => {
    const { results } = await client.listRuleAlerts({ body: {} });
    const rule = (await client.listRules()).find(({ ruleName }) => ruleName === 'Fires of the town');
    return [
      '/rules',
      '/rules?find=nothing-like-it',
      '/rules/new',
      `/rules/${rule?.key}`,
      `/rules/${rule?.key}/edit`,
      `/rules/${rule?.key}?tab=versions`,
      '/alerts',
      '/alerts?state=all',
      `/alerts/${results[0]?.key}`,
      '/settings',
    ];
  };

  test.each([
    ['light, wide', 'light', wide],
    ['dark, on a phone', 'dark', phone],
  ] as const)(
    'every page: no axe violation, no overflow, all controls reached by Tab: %s',
    async (_name, theme, size) => {
      const page = await app.open('/', { theme, size, isStill: true });
      const faults: string[] = [];
      for (const path of await places()) {
        await page.goto(path);
        await page.locator('main h1').waitFor();
        for (const fault of await faultsOf(page)) faults.push(`${path} ${fault}`);
      }
      await page.getByRole('button', { name: /^Bell/ }).locator('visible=true').click();
      await page.locator('dialog[open]').waitFor();
      for (const fault of await violationsOf(page, 'dialog[open]')) faults.push(`bell ${fault}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('200 rules and 1,000 matches: a few requests, and nothing for each row', async () => {
    const person = await app.server.addPerson();
    const { client: owner } = await person.withKey();
    const { key: deviceID = 0 } = await owner.createDevice({ body: { deviceSerial: 'many', autoCaption: false } });
    const ruleIDs: number[] = [];
    for (let at = 0; at < 200; at += 1) {
      const when = at === 0 ? { lengthSeconds: { min: 1 } } : { words: `word${at}` };
      const where = { deviceIDs: [deviceID] };
      ruleIDs.push((await owner.createRule({ body: { ruleName: `Rule ${at}`, where, when } })).key ?? 0);
    }
    for (let at = 0; at < 10; at += 1) {
      await owner.announceAudioClips({
        params: { deviceSerial: 'many' },
        body: Array.from({ length: 100 }, (_, index) => ({
          startTime: now - day + at * 200 + index * 2,
          clipLengthInSeconds: 2,
        })),
      });
    }
    const found = async () => {
      const { results } = await owner.listRuleMatches({ body: { ruleID: ruleIDs[0] ?? 0, count: 1_000 } });
      return results.length;
    };
    await expect.poll(found, { timeout: waitMs, interval: 500 }).toBe(1_000);
    const page = await app.open('/rules', { email: person.email, password: 'a password for tests' });
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/v1/') && asked.push(new URL(request.url()).pathname));
    await page.getByText('Rule 199').waitFor();
    await expect.poll(() => page.locator('.rows > .row').count()).toBe(200);
    await page.getByRole('searchbox', { name: 'Find a rule' }).fill('Rule 77');
    await expect.poll(() => page.locator('.rows > .row').count()).toBe(1);
    await page.goto(`/rules/${ruleIDs[0]}`);
    await page.getByText('50 newest matches').waitFor();
    await page.getByRole('button', { name: 'Load older' }).click();
    await page.getByText('100 newest matches').waitFor();
    // Two of the pages of matches; all other lists once for each page of the console.
    expect(asked.filter((path) => path.startsWith('/v1/rule')).length).toBeLessThan(15);
    expect(asked.length).toBeLessThan(60);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
