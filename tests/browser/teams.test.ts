import type { Client } from '@earshot/client/client';
import { needs } from '@earshot/server/testing/needs';
import { personPassword } from '@earshot/server/testing/person';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { phone, wide } from './screens.ts';
import { keyboardFaults } from './tab-stops.ts';

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

describe('teams in the console', needs('chromium'), () => {
  let app: Console;
  let admin: Client;
  let deviceID: number;
  beforeAll(async () => {
    app = await startConsole();
    admin = app.server.admin.session;
    const { key = 0 } = await admin.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate' } });
    deviceID = key;
  });
  afterAll(() => app.stop());

  const addHarbour = async (): Promise<number> => {
    const { key = 0 } = await admin.createCollection({ body: { collectionName: 'Harbour' } });
    await admin.addCollectionItem({
      params: { collectionItemID: key },
      body: { itemType: 'device', itemID: deviceID },
    });
    return key;
  };
  const faultsOf = async (page: Page) => [
    ...(await violationsOf(page)),
    ...(await overEdge(page)),
    ...(await keyboardFaults(page)),
  ];

  test.each([
    ['a wide screen', 'a phone', wide, phone],
    ['a phone', 'a wide screen', phone, wide],
  ])(
    'on %s: a team is made and a collection shared with it, which its people see at once on %s, and why',
    async (_name, _their, size, other) => {
      const email = `grace-${size.width}@example.org`;
      const grace = await app.server.addPerson({ email });
      const collectionID = await addHarbour();
      const theirs = await app.open('/devices', { email, password: personPassword, size: other });
      await theirs.getByText('No devices yet').waitFor();

      const page = await app.open('/teams', { size });
      await page.getByRole('button', { name: 'Make a team' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(`North team ${size.width}`);
      await dialog.getByRole('button', { name: 'Make', exact: true }).click();
      await page.getByText('Nobody is in this team yet').waitFor();
      await page.getByRole('button', { name: 'Add a person' }).click();
      await dialog.getByLabel('Person').selectOption({ label: email });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('link', { name: email }).waitFor();

      await page.goto(`/collections/${collectionID}`);
      await page.getByRole('button', { name: 'Share with a team' }).click();
      await dialog.getByLabel('Team').selectOption({ label: `North team ${size.width}` });
      await dialog.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('link', { name: `North team ${size.width}` }).waitFor();
      await theirs.getByRole('link', { name: 'North gate' }).waitFor();

      await theirs.goto(`/people/${grace.userID}`);
      await theirs.getByText(`through North team ${size.width}`, { exact: true }).waitFor();
      await theirs.getByText(`in Harbour, through North team ${size.width}`).waitFor();
      expect(await faultsOf(theirs)).toEqual([]);

      await page.getByRole('button', { name: `Stop sharing with North team ${size.width}` }).click();
      await page.getByText('Not shared with a team yet').waitFor();
      await page.goto('/teams');
      // What is only asked for later is done before the page is left.
      await theirs.getByText('None.').first().waitFor();
      await Promise.all([page.context().close(), theirs.context().close()]);
    },
  );

  test('the rota is written by keyboard alone; the page says who is on duty', async () => {
    const [ada, ben] = [
      await app.server.addPerson({ email: 'ada@example.org' }),
      await app.server.addPerson({ email: 'ben@example.org' }),
    ];
    const { key: teamID = 0 } = await admin.createTeam({
      body: { teamName: 'Rangers', timeZone: 'UTC', userIDs: [ada.userID, ben.userID] },
    });
    const page = await app.open(`/teams/${teamID}`);
    await page.getByText('Nobody is on duty now').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Add a duty' }));
    await page.keyboard.press('Enter');
    const first = page.getByRole('group', { name: 'Duty 1' });
    const person = first.getByLabel('Person');
    await expect.poll(() => person.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('ben');
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) {
      await tabTo(page, first.getByRole('button', { name: day }));
      await page.keyboard.press('Space');
    }
    for (const label of ['From', 'To']) {
      await tabTo(page, first.getByLabel(label, { exact: true }));
      await page.keyboard.type('1200AM');
    }
    await tabTo(page, page.getByRole('button', { name: 'Save the rota' }));
    await page.keyboard.press('Enter');
    await page.getByText('On duty now: ben@example.org').waitFor();
    expect((await admin.getTeam({ params: { teamID } })).rota).toEqual([
      { userID: ben.userID, days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' },
    ]);
    await page.getByText('On duty', { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    // Its people read it, and change nothing.
    const theirs = await app.open(`/teams/${teamID}`, { email: ada.email, password: personPassword, size: phone });
    await theirs.getByText('On duty now').waitFor();
    expect(await theirs.locator('.rota li').allTextContents()).toEqual(['ben@example.org all day']);
    expect(await theirs.getByRole('button', { name: /Add|Save|Take/ }).count()).toBe(0);
    expect(await faultsOf(theirs)).toEqual([]);
    await Promise.all([page.context().close(), theirs.context().close()]);
  });

  test('a rule tells a team', async () => {
    const grace = await app.server.addPerson();
    await admin.createTeam({ body: { teamName: 'Harbour watch', userIDs: [grace.userID] } });
    const page = await app.open('/rules/new?q=ferry');
    await page.getByRole('button', { name: 'Add a person, a team or a channel' }).click();
    await page.getByRole('button', { name: 'Harbour watch (team)', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ferries');
    await page.getByRole('button', { name: 'Save and watch' }).click();
    await page.getByText('tell Harbour watch').first().waitFor();
    const actions = async () => (await admin.listRules({ query: { count: 1 } }))[0]?.actions;
    await expect.poll(actions).toMatchObject([{ action: 'notify', to: [{ teamID: expect.any(Number) }] }]);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
