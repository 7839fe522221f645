import { env } from 'node:process';
import { personPassword } from '@earshot/server/testing/person';
import type { Person } from '@earshot/server/testing/person';
import { needs } from '@earshot/server/testing/needs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { makeDemoFleet } from './demo-fleet.ts';
import type { HostileFleet } from './hostile.ts';
import { makeHostileFleet } from './hostile.ts';
import { placesOf } from './places.ts';
import type { Refusal } from './press-all.ts';
import { pressAll, settle, watchRefusals } from './press-all.ts';

type Kind = 'reader' | 'writer' | 'owner' | 'admin';
/** controls.long.test.ts presses as each kind of member; otherwise somebody who may only read does. */
const isEvery = env['PRESS_AS'] === 'every';
const kinds: readonly Kind[] = isEvery ? ['reader', 'writer', 'owner', 'admin'] : ['reader'];

/** What is opened with a filter shows the same controls as without. */
const isOtherView = /[?&](?!tab=|devices=|view=|with=)/;

describe('every control of every page', needs('chromium'), () => {
  let app: Console;
  let fleet: DemoFleet;
  let hostile: HostileFleet;
  let paths: readonly string[];
  const people = {} as Record<Exclude<Kind, 'admin'>, Person>;
  const collectionIDs = {} as Record<'reader' | 'writer', number>;
  beforeAll(async () => {
    app = await startConsole();
    const { admin, db } = app.server;
    fleet = await makeDemoFleet(app.server.url, admin.session);
    const { client } = await admin.withKey();
    hostile = await makeHostileFleet(admin.session, client);
    for (const kind of ['reader', 'writer', 'owner'] as const) people[kind] = await app.server.addPerson();
    const devices = (await admin.session.listDevicePage({ body: { count: 1_000 } })).results.map(({ key }) => key);
    for (const kind of ['reader', 'writer'] as const) {
      const { key: collectionID = 0 } = await admin.session.createCollection({
        body: { collectionName: `For the ${kind}`, memberAccess: kind === 'reader' ? 'read' : 'write' },
      });
      const params = { collectionID };
      await admin.session.addCollectionItems({ params, body: { itemType: 'device', itemIDs: devices } });
      await admin.session.addCollectionItems({ params, body: { itemType: 'user', itemIDs: [people[kind].userID] } });
      collectionIDs[kind] = collectionID;
    }
    // Details before lists: what is removed in a list is not opened again.
    const all = placesOf(fleet, hostile).map(({ path }) => path);
    paths = [...new Set(all)]
      .filter((path) => !isOtherView.test(path) && path !== '/nowhere')
      .toSorted((a, b) => rank(a) - rank(b));
    // What is the admin's so far is the owner's, so that everybody else has only what was shared.
    await db`update devices set user_id = ${people.owner.userID}`;
    await db`update collections set user_id = ${people.owner.userID} where collection_name not like 'For the%'`;
  });
  afterAll(() => app.stop());

  const rank = (path: string): number => {
    if (path.includes('tab=settings')) return 3;
    return /^\/[a-z]+\/\d/.test(path) ? 1 : 2;
  };

  const open = async (kind: Kind): Promise<Page> => {
    const page = await app.open('/', kind === 'admin' ? {} : { email: people[kind].email, password: personPassword });
    await watchRefusals(page);
    return page;
  };

  test.each(kinds)('may be pressed: %s', async (as) => {
    const page = await open(as);
    const refused: Refusal[] = [];
    const pressed = new Set<string>();
    for (const path of paths) {
      if (!(await isFor(page, path))) continue;
      const visit = await pressAll(page, path);
      refused.push(...visit.refusals);
      for (const kind of visit.pressed) pressed.add(kind);
    }
    expect(refused).toEqual([]);
    expect(pressed.size).toBeGreaterThan(80);
    await page.context().close();
    expect(app.faults).toEqual([]);
  });

  /** Not a page of something that only others see. */
  async function isFor(page: Page, path: string): Promise<boolean> {
    await page.goto(path);
    await page.locator('main h1, main .empty').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    return !(await page.getByText('Page not found').isVisible());
  }

  test('also with a right that was taken away while the page is open', async () => {
    const { session } = app.server.admin;
    const params = { collectionID: collectionIDs.writer };
    const page = await open('writer');
    const refused: Refusal[] = [];
    for (const path of [
      `/devices/${fleet.deviceIDs[1]}?tab=settings`,
      `/clips/${fleet.speech.clipID}`,
      '/presets',
      '/events',
    ]) {
      await session.updateCollection({ params, body: { memberAccess: 'write' } });
      await page.goto(path);
      await settle(page);
      const told = page.waitForResponse(/\/v1\/right\/list/);
      await session.updateCollection({ params, body: { memberAccess: 'read' } });
      await told;
      await settle(page);
      refused.push(...(await pressAll(page, path, true)).refusals);
    }
    expect(refused).toEqual([]);
    await page.context().close();
  });
});
