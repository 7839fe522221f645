import { personPassword } from '@earshot/server/testing/person';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { makeDemoFleet } from './demo-fleet.ts';

/** Controls that read, play, filter and navigate, and those for things of one's own. */
const harmless = [
  // Shell, lists and filters.
  /^(More|Close|Show|Hide|Show more|Load older|Show all|Reload|Try again now)\b/,
  /^(Newest first|Oldest first|Newest|Oldest|Time|Relevance|All|Any|Today|Yesterday|Last|This)\b/,
  /^(Earlier|Later|Zoom in|Zoom out|Clear|Day|Week|Hour|Month|Save search|Reset|Whole|Previous|Next|Continuous)\b/,
  /^(Filters?|Range|Time range|Custom|From|To|Select|Pick|Choose|Device|Devices|Status|Talkgroup)\b/,
  // Filters by tag.
  /^(Tags?|Add a tag)$/,
  // Listening.
  /^(Play|Pause|Repeat|Continue|Speed|Copy|Versions|Find|Go to|Mute|Skip|\d|Faster|Slower)/,
  // Of one's own: new devices, collections, presets, keys and recordings belong to the person.
  /^(Add a device|Add to collection|Create collection|Create preset|Choose files|Choose a folder|Record|Export|Make a key)\b/,
];

const changing =
  /\b(edit|delete|remove|send|cancel|retry|run|import|set position|lock|unlock|tag|add|upload|restore|rename|try again)\b/i;

describe('a member who may only read', needs('chromium'), () => {
  let app: Console;
  let fleet: DemoFleet;
  let email: string;
  beforeAll(async () => {
    app = await startConsole();
    const { session } = app.server.admin;
    fleet = await makeDemoFleet(app.server.url, session);
    const reader = await app.server.addPerson();
    ({ email } = reader);
    const { key: collectionID = 0 } = await session.createCollection({
      body: { collectionName: 'For readers', memberAccess: 'read' },
    });
    const params = { collectionItemID: collectionID };
    await session.addCollectionItem({ params, body: { itemType: 'user', itemID: reader.userID } });
    const { speech, radio, deviceIDs } = fleet;
    const clip = await session.getAudioClip({ params: { audioClipID: speech.clipID } });
    for (const itemID of new Set([...deviceIDs, radio.deviceID, clip.deviceID ?? 0])) {
      await session.addCollectionItem({ params, body: { itemType: 'device', itemID } });
    }
  });
  afterAll(() => app.stop());

  /** The names of all controls on the page that could change something that is only lent. */
  async function changingControls(page: Page): Promise<readonly string[]> {
    const names = await page.locator('main').evaluate((main) =>
      [...main.querySelectorAll<HTMLElement>('button, input:not([type=search]), textarea, select, [role=menuitem]')]
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const label = (element as HTMLInputElement).labels?.[0]?.textContent ?? '';
          return (element.getAttribute('aria-label') ?? (label || element.textContent || element.title)).trim();
        }),
    );
    return [...new Set(names)].filter((name) => changing.test(name) && !harmless.some((known) => known.test(name)));
  }

  test('every page shows only what they may do', async () => {
    const { deviceIDs, eventID, speech, radio } = fleet;
    const [gate] = deviceIDs;
    const places = [
      ['/', 'Overview'],
      ['/devices', 'North gate'],
      [`/devices/${gate}`, 'North gate'],
      ...['timeline', 'health', 'log', 'presets', 'settings'].map((tab) => [
        `/devices/${gate}?tab=${tab}`,
        'North gate',
      ]),
      [`/devices/${radio.deviceID}`, 'Talkgroups'],
      ['/clips', 'Clips'],
      [`/clips/${speech.clipID}`, 'Transcript'],
      [`/clips/${speech.absentClipID}`, 'Transcript'],
      [`/clips/${speech.unheardClipID}`, 'Transcript'],
      ['/search?q=ferry', 'Search'],
      ['/timeline', 'Timeline'],
      ['/events', 'Events'],
      ['/events?status=history', 'Events'],
      [`/events/${eventID}`, 'Event'],
      ['/presets', 'Presets'],
      ['/collections', 'For readers'],
    ] as const;
    const page = await app.open('/', { email, password: personPassword });
    const found: Record<string, readonly string[]> = {};
    for (const [path = '', text = ''] of places) {
      await page.goto(path);
      await page.locator('main').getByText(text).first().waitFor();
      await page.waitForFunction(() => document.querySelector('.skeleton') === null);
      // Rights are told after the page is shown.
      await page.waitForTimeout(400);
      const controls = await changingControls(page);
      if (controls.length > 0) found[path] = controls;
    }
    expect(found).toEqual({});
    await page.context().close();
    expect(app.faults).toEqual([]);
  });

  test('the same check finds the controls of somebody who may change everything', async () => {
    const page = await app.open(`/clips/${fleet.speech.clipID}`);
    await page.getByRole('button', { name: 'Edit transcript' }).waitFor();
    expect(await changingControls(page)).toEqual(
      expect.arrayContaining(['Edit transcript', 'Tag at the current position', 'Lock']),
    );
    await page.goto(`/devices/${fleet.deviceIDs[0]}?tab=settings`);
    await page.getByRole('button', { name: 'Delete this device' }).waitFor();
    expect(await changingControls(page)).toEqual(expect.arrayContaining(['Delete this device', 'Add a setting']));
    await page.context().close();
  });
});
