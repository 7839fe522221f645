// Screenshots of every page, in both themes, on a wide screen and a phone: npm run screenshots -- [folder]
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { startNode } from '@earshot/server/node';
import { silentLog } from '@earshot/server/testing/log';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { randomBytes } from 'node:crypto';
import { findFreePort } from '@earshot/server/testing/free-port';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { makeAgentFolder } from '../../server/src/features/agent/installation/tests/agent-folder.ts';
import { launchBrowser } from './browser.ts';
import { phone, wide } from './screens.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { makeDemoFleet } from './demo-fleet.ts';

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'earshot-screenshots-'));
/** Only pictures whose name contains one of these. */
const only = process.argv.slice(3);

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Actions before the screenshot. */
  readonly first?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

const chooseRecordings = (page: Page) =>
  page.getByLabel('Files').setInputFiles(
    ['20260503_040506.WAV', '20260503_041006.WAV', 'interview.wav'].map((name) => ({
      name,
      mimeType: 'audio/wav',
      buffer: Buffer.from(tinyWav(2)),
    })),
  );

const pictures = ({ deviceIDs, eventID, collectionID, speech, radio }: DemoFleet): readonly Picture[] => [
  { name: 'overview', path: '/' },
  { name: 'listen', path: `/clips/${speech.clipID}?t=4.2` },
  {
    name: 'listen-playing',
    path: `/clips/${speech.clipID}?q=ferry`,
    first: async (page) => {
      await press('Play')(page);
      await page.locator('.word.lit').waitFor();
      await page.keyboard.press('l');
    },
  },
  { name: 'listen-edit', path: `/clips/${speech.clipID}`, first: press('Edit transcript') },
  { name: 'listen-versions', path: `/clips/${speech.clipID}`, first: press('Versions') },
  { name: 'listen-silent', path: `/clips/${speech.silentClipID}` },
  { name: 'listen-absent', path: `/clips/${speech.absentClipID}` },
  { name: 'listen-unheard', path: `/clips/${speech.unheardClipID}` },
  { name: 'search', path: '/search?q=ferry' },
  {
    name: 'search-playing',
    path: '/search?q=ferry%20fog',
    first: async (page) => {
      await press('Play from here')(page);
      await page.locator('.moment.lit').first().waitFor();
    },
  },
  { name: 'search-similar', path: '/search?q=fery' },
  { name: 'search-whole', path: '/search?q=ferr&words=whole' },
  { name: 'search-empty', path: '/search' },
  { name: 'search-none', path: `/search?q=%22blue%20whale%22&device=${deviceIDs[0]}` },
  { name: 'devices', path: '/devices' },
  { name: 'devices-none', path: '/devices?find=nothing-like-it' },
  { name: 'device-add', path: '/devices', first: press('Add a device') },
  { name: 'device', path: `/devices/${deviceIDs[0]}` },
  { name: 'device-settings', path: `/devices/${deviceIDs[0]}?tab=settings` },
  { name: 'device-health', path: `/devices/${deviceIDs[0]}?tab=health` },
  { name: 'device-health-none', path: `/devices/${deviceIDs[9]}?tab=health` },
  { name: 'device-position', path: `/devices/${deviceIDs[0]}?tab=health`, first: press('Set position') },
  { name: 'device-log', path: `/devices/${deviceIDs[0]}?tab=log` },
  { name: 'device-values', path: `/devices/${deviceIDs[0]}?tab=settings`, first: press('Add a setting') },
  { name: 'device-presets', path: `/devices/${deviceIDs[0]}?tab=presets` },
  { name: 'device-silent', path: `/devices/${deviceIDs[9]}` },
  { name: 'device-send', path: `/devices/${deviceIDs[0]}`, first: press('Send an event') },
  { name: 'clips', path: '/clips' },
  {
    name: 'clips-selected',
    path: `/clips?device=${deviceIDs[0]}&status=3`,
    first: async (page) => {
      for (const index of [1, 3, 5]) await page.locator('.clip-check input').nth(index).click();
    },
  },
  {
    name: 'clips-playing',
    path: `/clips?device=${deviceIDs[0]}&status=3&when=week&order=asc`,
    first: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press(' ');
      await page.locator('.clip-row.open').waitFor();
    },
  },
  { name: 'clips-none', path: '/clips?from=2001-01-01T00:00&to=2001-01-02T00:00' },
  {
    name: 'timeline-device',
    path: `/devices/${deviceIDs[0]}?tab=timeline`,
    first: async (page) => {
      await page.locator('.timeline-stage').focus();
      for (let times = 0; times < 40; times += 1) await page.keyboard.press('ArrowLeft');
      for (let times = 0; times < 12; times += 1) await page.keyboard.press('Shift+ArrowLeft');
    },
  },
  { name: 'timeline-week', path: `/devices/${deviceIDs[0]}?tab=timeline&span=week` },
  {
    name: 'timeline-close',
    path: `/timeline?devices=${[0, 1, 3].map((index) => deviceIDs[index]).join(',')}`,
    first: async (page) => {
      await page.locator('.timeline-stage').focus();
      for (let times = 0; times < 90; times += 1) await page.keyboard.press('ArrowLeft');
      for (let times = 0; times < 7; times += 1) await page.keyboard.press('+');
      await page.getByText('Audio level').waitFor();
    },
  },
  { name: 'timeline', path: `/timeline?devices=${[0, 1, 3].map((index) => deviceIDs[index]).join(',')}` },
  { name: 'upload', path: '/upload', first: chooseRecordings },
  { name: 'record', path: '/record' },
  { name: 'connect', path: '/connect' },
  { name: 'connect-linux', path: '/connect', first: press('Make a code') },
  { name: 'connect-curl', path: '/connect?with=curl', first: press('Make a key') },
  { name: 'connect-trunk-recorder', path: '/connect?with=trunk-recorder', first: press('Make a key') },
  { name: 'updates', path: '/updates', first: press('Show devices') },
  { name: 'updates-start', path: '/updates', first: press('Update devices') },
  { name: 'events', path: '/events' },
  { name: 'events-history', path: '/events?status=history' },
  { name: 'event', path: `/events/${eventID}` },
  { name: 'presets', path: '/presets' },
  { name: 'collections', path: '/collections' },
  { name: 'collection', path: `/collections/${collectionID}` },
  { name: 'people', path: '/people' },
  { name: 'keys', path: '/keys' },
  {
    name: 'key-new',
    path: '/keys',
    first: async (page) => {
      await press('Create key')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByText('the secret is not shown again').waitFor();
    },
  },
  { name: 'radio-upload-keys', path: '/upload-keys' },
  {
    name: 'radio-upload-key-new',
    path: '/upload-keys',
    first: async (page) => {
      await press('Create upload key')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByText('the secret is not shown again').waitFor();
    },
  },
  { name: 'radio-clips', path: `/clips?device=${radio.deviceID}` },
  { name: 'radio-clip', path: `/clips/${radio.clipID}` },
  { name: 'radio-clip-clock', path: `/clips/${radio.clockOffClipID}` },
  { name: 'radio-search', path: '/search?q=emergency&talkgroup=4521' },
  {
    name: 'radio-talkgroups',
    path: `/devices/${radio.deviceID}`,
    first: (page) => page.getByRole('button', { name: 'Import CSV' }).scrollIntoViewIfNeeded(),
  },
  { name: 'radio-talkgroup-edit', path: `/devices/${radio.deviceID}`, first: press('Edit FIRE DISP') },
  { name: 'radio-talkgroup-import', path: `/devices/${radio.deviceID}`, first: press('Import CSV') },
  { name: 'vocabulary', path: '/vocabulary' },
  { name: 'vocabulary-add', path: '/vocabulary', first: press('Add terms') },
  { name: 'audit', path: '/audit' },
  { name: 'rules', path: '/rules' },
  { name: 'rule-new', path: '/rules/new' },
  { name: 'rule-tried', path: '/rules/new?q=ferry', first: (page) => page.getByText(/ in \d+ alerts?$/).waitFor() },
  { name: 'alerts', path: '/alerts' },
  { name: 'settings', path: '/settings' },
  { name: 'shortcuts', path: '/', first: (page) => page.keyboard.press('?') },
  { name: 'not-found', path: '/nowhere' },
  { name: 'set-up', path: '/setup#token=none' },
  { name: 'set-up-without-link', path: '/setup' },
  { name: 'reset', path: '/reset#token=none' },
  {
    name: 'device-connect',
    path: '/devices',
    first: async (page) => {
      await press('Add a device')(page);
      await page
        .getByRole('dialog')
        .getByLabel('Serial')
        .fill(`garden-${randomBytes(2).toString('hex')}`);
      await press('Add device')(page);
      await page.getByText('Waiting for the first contact').waitFor();
    },
  },
];

async function takeAll(
  browser: Browser,
  url: string,
  fleet: DemoFleet,
  screen: string,
  options: Screen,
): Promise<void> {
  const context = await browser.newContext({
    ...options,
    hasTouch: options.isMobile,
    baseURL: url,
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  const take = (name: string) =>
    page.screenshot({ path: join(folder, `${name}-${screen}-${options.colorScheme}.png`) });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await take('sign-in');
  await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
  for (const { name, path, first } of pictures(fleet)) {
    if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
    await page.goto(path);
    await page.locator('main').waitFor();
    // Wait until the data is loaded and animations have ended.
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(400);
    await first?.(page);
    await page.waitForTimeout(250);
    await take(name);
  }
  await context.close();
}

interface Screen {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  readonly isMobile: boolean;
}

async function signIn(url: string): Promise<Client> {
  const signedIn = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: adminEmail, password: adminPassword }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return createClient({
    url,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
  });
}

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-demo-'));
const port = await findFreePort();
const config = {
  ...baseConfig(dataDir, '', randomBytes(32)),
  databaseUrl: undefined,
  port,
  publicOrigin: `http://127.0.0.1:${port}`,
};
const agentDir = await makeAgentFolder('1.6.0');
const node = await startNode({ ...testNodeOptions(config, silentLog), agentDir });
const browser = await launchBrowser();
try {
  mkdirSync(folder, { recursive: true });
  const admin = await signIn(node.url);
  const fleet = await makeDemoFleet(node.url, admin);
  const [release] = await admin.listAgentReleases();
  await admin.createRollout({ body: { sha256: release?.sha256 ?? '', deviceIDs: fleet.deviceIDs.slice(0, 5) } });
  await admin.addVocabulary({
    body: { terms: [{ term: 'Quayside', spokenAs: ['key side'] }, { term: 'Engine 96' }, { term: 'Aurora' }] },
  });
  for (const [screen, viewport] of Object.entries({ wide, phone })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await takeAll(browser, node.url, fleet, screen, { viewport, colorScheme, isMobile: screen === 'phone' });
    }
  }
  process.stdout.write(`The pictures are in ${folder}\n`);
} finally {
  await browser.close();
  await node.stop();
  for (const made of [dataDir, agentDir]) rmSync(made, { recursive: true, force: true });
}
