import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { SentCall } from '../field/curl-form.ts';
import { trunkRecorderCall, trunkRecorderMeta } from '../field/curl-form.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { uploadCall } from './demo-radio.ts';

const newCall = '/api/call-upload';
const oldCall = '/api/trunk-recorder-call-upload';

describe('radio recorders in the console', needs('chromium'), () => {
  let app: Console;
  let key: string;
  let startTime = Math.floor(Date.now() / 1_000) - 5_000;
  beforeAll(async () => {
    app = await startConsole();
    key = (await app.server.admin.session.createUploadKey({ body: {} })).secret ?? '';
  });
  afterAll(() => app.stop());

  const call = (more: Partial<SentCall> = {}): SentCall => {
    startTime += 10;
    return { key, sound: tinyWav(0.5), startTime, talkgroup: 4521, ...more };
  };
  const upload = (path: string, sent: SentCall) =>
    uploadCall(app.server.url, path, path === newCall ? trunkRecorderCall(sent) : trunkRecorderMeta(sent));
  /** The key of the device of a radio system. */
  const deviceOf = async (system: number) => {
    const devices = await app.server.admin.session.listDevices({ body: {} });
    return devices.find(({ deviceSerial }) => deviceSerial?.endsWith(`-${system}`))?.key ?? 0;
  };

  test('an upload key is created, and a call that is uploaded with it appears with its talkgroup', async () => {
    const page = await app.open('/upload-keys');
    await page.getByRole('button', { name: 'Create upload key' }).click();
    await page.getByLabel('Description').fill('Scanner in the attic');
    await page.getByLabel('May ask for transcripts').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('the secret is not shown again').waitFor();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';

    const config = JSON.parse((await page.getByLabel('Entry of plugins', { exact: true }).textContent()) ?? '') as {
      server: string;
      systems: { apiKey: string }[];
    };
    expect(config.server).toBe(app.server.url);
    expect(config.systems[0]?.apiKey).toBe(secret);
    await page.getByText('works on this computer only').waitFor();
    await page.getByLabel('Configuration for').selectOption('SDRTrunk');
    expect(await page.getByLabel('RdioScanner URL', { exact: true }).textContent()).toBe(
      `${app.server.url}/api/call-upload`,
    );
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.locator('.row', { hasText: 'Scanner in the attic' });
    await row.getByText('never used').waitFor();
    await row.getByText('may ask for transcripts').waitFor();

    await page.goto('/clips');
    await page.getByText('No clips yet').waitFor();
    await upload(newCall, call({ key: secret, system: 1 }));
    const clip = page.locator('[data-clip]');
    await clip.getByText('FIRE DISP').waitFor();
    await clip.getByText('unit 1610018').waitFor();
    await page.goto('/upload-keys');
    await row.getByText('last used').waitFor();
    await page.context().close();
  });

  test('the secret of an upload key is replaced, and the key is deleted', async () => {
    const { secret: former = '' } = await app.server.admin.session.createUploadKey({
      body: { uploadKeyDescription: 'Attic, old' },
    });
    const page = await app.open('/upload-keys');
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More actions for Attic, old' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Replace secret');
    await page.getByLabel('The present secret is refused').selectOption('At once');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
    await page.getByText('the secret is not shown again').waitFor();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await expect(upload(newCall, call({ key: former, system: 2 }))).rejects.toThrow('401');
    await upload(newCall, call({ key: secret, system: 2 }));
    await page.getByRole('button', { name: 'Done' }).click();

    await choose('Delete');
    await page.getByText('stay, with all their clips').waitFor();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('list').getByText('Attic, old').waitFor({ state: 'detached' });
    await expect(upload(newCall, call({ key: secret, system: 2 }))).rejects.toThrow('401');
    expect(await deviceOf(2)).toBeGreaterThan(0);
    await page.context().close();
  });

  test('clips are filtered by talkgroup, unit and emergency, and the address has the filters', async () => {
    await upload(newCall, call({ system: 3 }));
    await upload(newCall, call({ system: 3, talkgroup: 99 }));
    await upload(oldCall, call({ system: 3 }));
    const deviceID = await deviceOf(3);
    const names = { talkgroup: 99, talkgroupLabel: 'POLICE' };
    await app.server.admin.session.updateTalkgroup({ params: { deviceID }, body: names });
    const page = await app.open(`/clips?device=${deviceID}`);
    const clips = page.locator('[data-clip]');
    await clips.nth(2).waitFor();
    await page.getByLabel('Talkgroup').fill('police');
    await page.getByLabel('Talkgroup').press('Enter');
    await page.waitForURL(/talkgroup=99/);
    await clips.nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Talkgroup').fill('nobody');
    await page.getByLabel('Talkgroup').press('Enter');
    await page.getByText('There is no talkgroup “nobody”.').waitFor();
    expect(await page.getByLabel('Talkgroup').inputValue()).toBe('POLICE');
    await page.getByLabel('Talkgroup').fill('4521');
    await page.getByLabel('Talkgroup').press('Enter');
    await page.waitForURL(/talkgroup=4521/);
    await clips.nth(2).waitFor({ state: 'detached' });
    await clips.nth(1).waitFor();
    await page.getByLabel('Emergency').selectOption('Yes');
    await page.waitForURL(/emergency=true/);
    await clips.nth(1).waitFor({ state: 'detached' });
    await clips.getByText('Emergency').waitFor();
    await page.getByLabel('Unit').fill('5');
    await page.getByLabel('Unit').press('Enter');
    await page.waitForURL(/unit=5/);
    await page.getByText('No matching clips').waitFor();

    // A call that arrives while the filter is set appears only if it matches.
    await page.getByLabel('Unit').fill('');
    await page.getByLabel('Unit').press('Enter');
    await clips.first().waitFor();
    await upload(newCall, call({ system: 3 }));
    await upload(oldCall, call({ system: 3 }));
    await clips.nth(1).waitFor();
    expect(await clips.getByText('Emergency').count()).toBe(2);
    await page.context().close();
  });

  test('the page of a clip shows the facts of its call, and search is limited to a talkgroup', async () => {
    await upload(oldCall, call({ system: 4 }));
    await upload(newCall, call({ system: 4, talkgroup: 99, startTime: 1_000_000_000 }));
    const deviceID = await deviceOf(4);
    const { results } = await app.server.admin.session.listAudioClipPage({ body: { deviceIDList: [deviceID] } });
    const [emergency, old] = results;
    for (const { key: captionID = 0 } of results) {
      await app.server.admin.session.correctCaption({ params: { captionID }, body: { transcript: 'engine five' } });
    }
    const page = await app.open(`/clips/${emergency?.key}`);
    await page.getByRole('heading', { level: 1, name: 'FIRE DISP' }).waitFor();
    const facts = page.getByRole('region', { name: 'Radio call' });
    for (const text of [
      'Emergency',
      'FIRE DISP',
      '(4521)',
      'County fire dispatch',
      '851.0125 MHz',
      '1610018',
      '4600',
    ]) {
      await facts.getByText(text).first().waitFor();
    }
    await page.goto(`/clips/${old?.key}`);
    await facts.getByText('clock was off; the call arrived at').waitFor();

    await page.goto(`/search?q=engine&device=${deviceID}`);
    const hits = page.locator('.hit');
    await hits.nth(1).waitFor();
    await page.getByLabel('Talkgroup', { exact: true }).fill('4521');
    await page.getByLabel('Talkgroup', { exact: true }).press('Enter');
    await page.waitForURL(/talkgroup=4521/);
    await hits.nth(1).waitFor({ state: 'detached' });
    await hits.getByText('FIRE DISP').waitFor();
    await page.getByRole('button', { name: 'Remove filter: FIRE DISP' }).click();
    await hits.nth(1).waitFor();
    await page.context().close();
  });

  test('a talkgroup is renamed, and its calls have the new name', async () => {
    await upload(newCall, call({ system: 5 }));
    const deviceID = await deviceOf(5);
    const page = await app.open(`/devices/${deviceID}`);
    await page.getByRole('button', { name: 'Edit FIRE DISP' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('FIRE MAIN');
    await page.getByRole('textbox', { name: 'Tag' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    const section = page.getByRole('region', { name: 'Talkgroups' });
    await section.getByText('FIRE MAIN').click();
    await page.waitForURL(`**/clips?device=${deviceID}&talkgroup=4521`);
    await page.locator('[data-clip]').getByText('FIRE MAIN').waitFor();
    const [named] = await app.server.admin.session.listTalkgroups({ body: { deviceID } });
    expect(named).toMatchObject({ talkgroupLabel: 'FIRE MAIN', talkgroupName: 'County fire dispatch' });
    expect(named).not.toHaveProperty('talkgroupTag');
    await page.context().close();
  });

  test('talkgroups are imported from a CSV file, which may be Windows-1252', async () => {
    await upload(newCall, call({ system: 6 }));
    const page = await app.open(`/devices/${await deviceOf(6)}`);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const csv = 'Decimal,Alpha Tag,Description\n4521,FIRE 1,Main\nx,Nobody\n77,D\u00E9p\u00F4t,Depot\n';
    const file = { name: 'talkgroups.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('2 talkgroups imported.').waitFor();
    await page.getByText('Line 3: The decimal number must be').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const section = page.getByRole('region', { name: 'Talkgroups' });
    await section.getByText('FIRE 1').waitFor();
    await section.getByText('Dépôt').waitFor();
    await section.getByLabel('Find a talkgroup').fill('depot');
    await section.getByText('FIRE 1').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a CSV file is dropped, a long one is imported, and one that is too large is refused', async () => {
    await upload(newCall, call({ system: 8 }));
    const page = await app.open(`/devices/${await deviceOf(8)}`);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const large = { name: 'talkgroups.csv', mimeType: 'text/csv', buffer: Buffer.alloc(8_000_001, '1') };
    await page.locator('input[type=file]').setInputFiles(large);
    await page.getByText('The file is larger than 8 MB.').waitFor();

    const lines = Array.from(
      { length: 5_000 },
      (_, at) => `${at + 1},0,D,Label ${at},A name of usual length ${at},Tag,Group`,
    );
    const long = { name: 'county.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
    await page.locator('input[type=file]').setInputFiles(long);
    await page.getByText('5,000 talkgroups imported.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const section = page.getByRole('region', { name: 'Talkgroups' });
    await section.getByText('Label 49', { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Show more' }).click();
    await section.getByText('Label 249', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['4521,11a9,D,DROPPED,Main,Fire,Fire\n'], 'talkgroups.csv'));
      return transfer;
    });
    await page.locator('.file-drop').dispatchEvent('drop', { dataTransfer });
    await page.getByText('1 talkgroup imported.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await section.getByLabel('Find a talkgroup').fill('4521');
    await section.getByText('DROPPED').waitFor();
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
