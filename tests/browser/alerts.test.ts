import type { Client } from '@earshot/client/client';
import { waitMs } from '@earshot/server/testing/limits';
import { insertAlerts } from '@earshot/server/features/alert/tests/many-alerts';
import { needs } from '@earshot/server/testing/needs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { speak } from './speech.ts';
import { keyboardFaults } from './tab-stops.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return [...(await violationsOf(page)), ...(await overEdge(page)), ...(await keyboardFaults(page))];
}

describe('alerts in the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    await client.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false } });
    await client.createRule({
      body: {
        ruleName: 'Fires',
        severity: 'critical',
        when: { all: [{ words: '"structure fire"' }, { none: [{ words: 'mill' }] }] },
        actions: [{ action: 'notify' }, { action: 'tag', tagName: 'fire' }],
      },
    });
    await speak(client, 'gate', now - 120, 'Structure fire at the harbour.');
    await speak(client, 'gate', now - 60, 'The structure fire is out.');
    await vi.waitFor(async () => {
      const { results } = await client.listRuleAlerts({ body: {} });
      expect(results).toMatchObject([{ matchCount: 2 }]);
    }, waitMs);
  });
  afterAll(() => app.stop());

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

  test('quiet hours, other people’s rules and the sound are set in the settings', async () => {
    const page = await app.open('/settings');
    await page.getByRole('button', { name: 'Add quiet hours' }).click();
    await page.getByLabel('From', { exact: true }).fill('23:00');
    await page.getByRole('checkbox', { name: 'Not by other people’s rules' }).check();
    const section = page.getByRole('region', { name: 'How I am told' });
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

  test('a thousand alerts: few requests, a page of rows, and the bell says how many', async () => {
    const { client: member, userID, email } = await memberWithRule('mast');
    const [device] = await member.listDevices({ body: {} });
    const [rule] = await member.listRules({ query: {} });
    const lastMs = now * 1_000;
    const at = { ruleID: rule?.key ?? 0, deviceID: device?.key ?? 0, userID, lastMs };
    await insertAlerts(app.server.db, at, 1_000);
    const page = await app.open('/', { email, password: 'a password for tests' });
    await page.getByRole('button', { name: /Bell/ }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/v1/') && requests.push(new URL(request.url()).pathname));
    await page.goto('/alerts');
    await page.getByText('50 newest alerts').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // What the page before still asked for is not counted.
    const ofPage = requests.slice(requests.lastIndexOf('/v1/session'));
    expect(ofPage.length, ofPage.join()).toBeLessThanOrEqual(15);
    expect(await page.locator('main li').count()).toBeLessThanOrEqual(150);
    requests.length = 0;
    await page.getByRole('button', { name: /Bell/ }).click();
    await page
      .getByRole('link', { name: /Restarts/ })
      .last()
      .waitFor();
    expect(requests.length, requests.join()).toBeLessThanOrEqual(5);
    await page.goto(`/rules/${at.ruleID}`);
    await page.getByText('50 newest').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  });

  async function memberWithRule(deviceSerial = 'roof') {
    const person = await app.server.addPerson();
    const { client: member } = await person.withKey();
    const { key: deviceID = 0 } = await member.createDevice({ body: { deviceSerial, autoCaption: false } });
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
