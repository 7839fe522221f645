import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { DemoFleet } from './demo-fleet.ts';
import type { HostileFleet } from './hostile.ts';

/** Every page of the console, and every dialog that opens on it. */
export interface Place {
  readonly path: string;
  readonly dialogs?: readonly ((page: Page) => Promise<unknown>)[];
  /** A list that loads more rows while tabbing has no last stop. */
  readonly isEndless?: boolean;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const choose = (menu: string | RegExp, item: string) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole('menuitem', { name: item }).click();
};
const inTurn =
  (...steps: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

const addGarden = inTurn(
  press('Add a device'),
  (page) =>
    page
      .getByRole('dialog')
      .getByLabel('Serial')
      .fill(`garden-${randomBytes(4).toString('hex')}`),
  inDialog('Add device'),
  (page) => page.getByText('Waiting for the first contact').waitFor(),
);

const importFile = inTurn(
  press('Import CSV'),
  (page) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'talkgroups.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Decimal,Alpha Tag\n4521,FIRE DISP\nnone,Nobody\n'),
    }),
  (page) => page.getByText('1 talkgroup imported.').waitFor(),
);

/** Two recordings of an AudioMoth, one with a long name. */
const correctStart = inTurn(
  (page) =>
    page.getByLabel('Files').setInputFiles(
      ['20260503_040506.WAV', `${'a-very-long-name-'.repeat(8)}.wav`].map((name) => ({
        name,
        mimeType: 'audio/wav',
        buffer: Buffer.from(tinyWav(1)),
      })),
    ),
  (page) => page.getByText('from the name').waitFor(),
  press(/^Correct the start/),
);

/** One is in the side bar, the other in the bar of a phone. */
const openBell = (page: Page) => page.getByRole('button', { name: /^Bell/ }).locator('visible=true').click();

export const placesOf = (fleet: DemoFleet, hostile: HostileFleet): readonly Place[] => {
  const { deviceIDs, eventID, collectionID, speech, radio } = fleet;
  const [gate, , , , , , , , , long] = deviceIDs;
  return [
    {
      path: '/',
      dialogs: [
        (page) => page.keyboard.press('?'),
        (page) => page.keyboard.press('Control+k').then(() => page.getByRole('listbox').waitFor()),
      ],
    },
    { path: '/devices', dialogs: [press('Add a device'), press('Columns'), addGarden] },
    { path: `/devices/${gate}` },
    { path: `/devices/${hostile.deviceID}`, dialogs: [press('Send an event'), press(/^Edit Q-talkgroup/)] },
    { path: `/devices/${radio.deviceID}`, dialogs: [press('Import CSV'), importFile] },
    {
      path: `/devices/${hostile.deviceID}?tab=settings`,
      dialogs: [
        press('Create key'),
        press('Install agent'),
        press('Add a setting'),
        choose(/^More actions for Q-setting/, 'Change'),
      ],
    },
    { path: `/devices/${gate}?tab=settings` },
    { path: `/devices/${gate}?tab=health`, dialogs: [press('Set position')] },
    { path: `/devices/${gate}?tab=health&span=week` },
    { path: `/devices/${hostile.deviceID}?tab=health`, dialogs: [press('Set position')] },
    { path: `/devices/${long}?tab=health` },
    { path: `/devices/${gate}?tab=log` },
    { path: `/devices/${hostile.deviceID}?tab=log&level=error` },
    { path: `/devices/${long}?tab=log` },
    {
      path: `/devices/${hostile.deviceID}?tab=presets`,
      dialogs: [press('Create preset'), choose(/^More actions for Q-preset/, 'Edit')],
    },
    { path: `/devices/${gate}?tab=timeline` },
    { path: '/clips', isEndless: true },
    {
      path: `/clips?device=${hostile.deviceID}`,
      dialogs: [
        inTurn((page) => page.locator('.clip-check input').first().check(), press('Export')),
        press('Tag'),
        press('Delete'),
      ],
    },
    { path: `/clips?device=${long}` },
    {
      path: `/clips?device=${gate}&status=3&from=2001-01-01T00:00:00`,
      dialogs: [inTurn((page) => page.locator('.clip-check input').first().check(), press('Add to collection'))],
      isEndless: true,
    },
    { path: '/timeline?view=fleet' },
    { path: `/timeline?devices=${gate},${hostile.deviceID}&span=week` },
    { path: '/exports' },
    { path: '/events', dialogs: [press('Send an event')] },
    { path: '/events?status=history' },
    { path: `/events/${eventID}` },
    { path: `/events/${hostile.eventID}` },
    { path: '/bulk-jobs' },
    { path: '/presets' },
    { path: '/audit' },
    { path: '/audit?action=sign-in-failed&from=2026-01-01' },
    { path: '/collections', dialogs: [press('Create collection')] },
    { path: `/collections/${collectionID}` },
    { path: `/collections/${collectionID}?tab=words` },
    {
      path: `/collections/${hostile.collectionID}`,
      dialogs: [
        press('Add devices'),
        press('Share with people'),
        press('Share with a team'),
        press('Add files'),
        choose('More actions for this collection', 'Edit'),
      ],
    },
    {
      path: '/people',
      dialogs: [press('Add a person'), choose(/^More actions for Q-person/, 'Create reset link')],
    },
    { path: '/people/1' },
    { path: `/people/${hostile.personID}` },
    { path: '/teams', dialogs: [press('Make a team')] },
    {
      path: `/teams/${hostile.teamID}`,
      dialogs: [press('Add a person'), choose('More actions for this team', 'Edit')],
    },
    { path: '/vocabulary', dialogs: [press('Add terms')] },
    { path: '/channels', dialogs: [press('Add channel')] },
    { path: '/keys', dialogs: [press('Create key'), inTurn(press('Create key'), inDialog('Create'))] },
    {
      path: '/upload-keys',
      dialogs: [
        press('Create upload key'),
        inTurn(press('Create upload key'), inDialog('Create')),
        choose(/^More actions for Q-uploadkey/, 'Edit'),
        choose(/^More actions for Q-uploadkey/, 'Replace secret'),
        choose(/^More actions for Q-uploadkey/, 'Delete'),
      ],
    },
    { path: '/settings' },
    { path: `/clips/${speech.clipID}?t=4.2&q=ferry`, dialogs: [press('Versions')] },
    { path: `/clips/${hostile.clipID}`, dialogs: [press('Versions')] },
    { path: `/clips/${speech.silentClipID}` },
    { path: `/clips/${speech.absentClipID}` },
    { path: `/clips/${speech.unheardClipID}?q=ferry` },
    { path: `/clips?device=${radio.deviceID}&talkgroup=4521&emergency=true` },
    { path: `/clips/${radio.clipID}` },
    { path: `/clips/${radio.clockOffClipID}` },
    { path: '/search' },
    { path: '/search?q=emergency&talkgroup=4521' },
    { path: '/search?q=ferry', dialogs: [press('Save this search'), choose(/^More actions for Q-search/, 'Rename')] },
    { path: `/search?q=Q-words&device=${hostile.deviceID}` },
    { path: '/search?q=nobody-would-say-this' },
    { path: '/rules' },
    { path: '/rules?find=nothing-like-it' },
    { path: '/rules/new' },
    { path: '/rules/new?q=ferry' },
    { path: `/rules/${hostile.ruleID}` },
    { path: `/rules/${hostile.ruleID}/edit` },
    { path: `/rules/${hostile.ruleID}?tab=versions` },
    { path: '/alerts', dialogs: [openBell] },
    { path: '/alerts?state=all' },
    { path: '/alerts?state=closed&severity=critical' },
    { path: `/alerts/${hostile.alertID}` },
    { path: '/upload', dialogs: [correctStart] },
    { path: '/record' },
    { path: '/connect' },
    { path: '/connect?with=trunk-recorder' },
    { path: '/connect?with=audiomoth' },
    { path: '/updates' },
    { path: '/nowhere' },
  ];
};

/** Pages without a session. */
export const placesOutside: readonly string[] = [
  '/',
  '/setup',
  '/setup#token=none',
  '/reset',
  '/acknowledge',
  '/acknowledge#token=none',
  '/confirm',
  '/confirm#token=none',
  '/reset#token=none',
  '/api',
];
