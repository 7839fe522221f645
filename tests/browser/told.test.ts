import type { Client } from '@earshot/client/client';
import { needs } from '@earshot/server/testing/needs';
import { waitMs } from '@earshot/server/testing/limits';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { phone, wide } from './screens.ts';
import { speak } from './speech.ts';
import { keyboardFaults } from './tab-stops.ts';

const faultsOf = async (page: Page): Promise<readonly string[]> => {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return [...(await violationsOf(page)), ...(await overEdge(page)), ...(await keyboardFaults(page))];
};

describe('how a person is told', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let teamID: number;
  let alertID: number;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const ada = await app.server.addPerson({ email: 'ada@example.org' });
    const settings = { url: 'https://told.invalid/' };
    for (const channelName of ['Phone', 'Night shift'])
      await client.createChannel({
        body: { channelName, kind: 'webhook', settings, isEnabled: channelName === 'Phone' },
      });
    const rota = [{ userID: ada.userID, from: '00:00', to: '00:00' }];
    const body = { teamName: 'North team', userIDs: [ada.userID], rota, escalateSeconds: 600 };
    ({ key: teamID = 0 } = await client.createTeam({ body }));
    const { key: deviceID = 0 } = await client.createDevice({
      body: { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false },
    });
    const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'Harbour' } });
    await client.addCollectionItem({
      params: { collectionItemID: collectionID },
      body: { itemType: 'device', itemID: deviceID },
    });
    await client.addCollectionTeam({ params: { collectionID, teamID } });
    await client.createRule({
      body: {
        ruleName: 'Fires',
        severity: 'critical',
        when: { words: 'fire' },
        actions: [{ action: 'notify', to: [{ teamID }] }],
      },
    });
    await speak(client, 'gate', Math.floor(Date.now() / 1_000) - 120, 'A fire at the harbour.');
    await vi.waitFor(async () => {
      const { results } = await client.listRuleAlerts({ body: {} });
      expect(results[0]?.toldDate).toBeDefined();
      alertID = results[0]?.key ?? 0;
    }, waitMs);
    // Ten minutes later.
    await app.server.db`update alerts set told_date = told_date - interval '10 minutes'`;
    await app.server.db`update alert_escalations set due_date = now()`;
    await vi.waitFor(async () => {
      const { acts } = await client.getRuleAlert({ params: { alertID } });
      expect(acts.at(-1)).toMatchObject({ escalation: 'admins' });
    }, waitMs);
  });
  afterAll(() => app.stop());

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: channels for each severity and a digest are chosen', async (_name, size) => {
    await client.putBellManners({ body: { severityChannels: { info: [], warning: [], critical: [] }, digest: null } });
    const page = await app.open('/settings', { size });
    const section = page.getByRole('region', { name: 'How I am told' });
    await section.getByRole('checkbox', { name: 'Phone: Critical' }).check();
    await section.getByRole('checkbox', { name: 'Phone: Warning' }).check();
    await section.getByRole('checkbox', { name: 'Phone: Warning' }).uncheck();
    expect(await section.getByRole('checkbox', { name: 'Bell: Info' }).isDisabled()).toBe(true);
    await section.getByLabel('Digest', { exact: true }).selectOption({ label: 'Of quiet hours, and below Warning' });
    await section.getByLabel('Time of the digest').fill('06:45');
    await section.getByLabel('Time zone of the digest').fill('Europe/Zurich');
    expect(await faultsOf(page)).toEqual([]);
    await section.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { severityChannels, digest } = await client.getBellManners();
    expect(digest).toEqual({ at: '06:45', timeZone: 'Europe/Zurich', below: 'warning' });
    expect([severityChannels.info, severityChannels.warning, severityChannels.critical.length]).toEqual([[], [], 1]);
    await page.reload();
    await expect.poll(() => section.getByLabel('Time of the digest').inputValue()).toBe('06:45');
    expect(await section.getByRole('checkbox', { name: 'Phone: Critical' }).isChecked()).toBe(true);
    await page.context().close();
  });

  test('an admin sets when a team tells others, and its people read it', async () => {
    const page = await app.open(`/teams/${teamID}`);
    const section = page.getByRole('region', { name: 'When nobody acknowledges' });
    await section.getByLabel('Tell others after').selectOption({ label: '1 hour' });
    expect(await faultsOf(page)).toEqual([]);
    await section.getByRole('button', { name: 'Save the time' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await client.getTeam({ params: { teamID } })).toMatchObject({ escalateSeconds: 3_600 });
    const theirs = await app.open(`/teams/${teamID}`, { email: 'ada@example.org', password: 'a password for tests' });
    await theirs.getByText('If nobody acknowledges an alert for 1 hour').waitFor();
    await Promise.all([page.context().close(), theirs.context().close()]);
  });

  test('the page of an alert has the steps, and the bell says why', async () => {
    const page = await app.open(`/alerts/${alertID}`);
    await page.getByText('Nobody acknowledged it: the admins were told').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /Bell/ }).click();
    await page.getByText('Nobody acknowledged it for 10 minutes.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
