import { readFile } from 'node:fs/promises';
import type { AuditLogHeader } from '@earshot/contract/audit-log';
import { verifyCustody } from '@earshot/contract/verify-custody';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';

describe('the audit trail in the console', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
  });
  afterAll(() => app.stop());

  test('what was done is listed, filtered and exported', async () => {
    const { session } = app.server.admin;
    const device = await session.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate' } });
    const deviceID = device.key ?? 0;
    const clip = await session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
    const params = { audioClipID: clip.key ?? 0 };
    await session.putAudioClipContent({ params, body: tinyWav() });
    await (await session.getAudioClipContent({ params })).arrayBuffer();
    await session.updateDevice({ params: { deviceID }, body: { retentionDays: 7 } });

    const page = await app.open('/audit');
    const played = page.locator('.row', { hasText: 'Played or downloaded a clip' });
    await played.getByRole('link', { name: 'North gate' }).waitFor();
    expect(await played.getByRole('link', { name: `clip ${params.audioClipID}` }).getAttribute('href')).toBe(
      `/clips/${params.audioClipID}`,
    );
    await page.getByText('Heads are not sent away').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const exporting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export for verification' }).click();
    const [header = ''] = (await readFile(await (await exporting).path(), 'utf8')).split('\n');
    const { keys } = JSON.parse(header) as AuditLogHeader;
    await page.getByText(keys[0]?.fingerprint ?? '').waitFor();

    await page.getByLabel('Device').selectOption('North gate');
    await expect
      .poll(() => page.locator('.row .row-title').allTextContents())
      .toEqual(['Changed a device', 'Played or downloaded a clip']);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(text.split('\r\n').map((line) => line.split(',')[2])).toEqual([
      'action',
      'sound-played',
      'device-changed',
      undefined,
    ]);
  });

  test('changes are listed with the hashes of the sound, and what was merged', async () => {
    const { session } = app.server.admin;
    const addDevice = async (deviceSerial: string) => (await session.createDevice({ body: { deviceSerial } })).key ?? 0;
    const [deviceID, intoDeviceID] = [await addDevice('mast-old'), await addDevice('mast')];
    await session.mergeDevice({ params: { deviceID }, body: { intoDeviceID } });
    const [before, after] = ['1'.repeat(64), '2'.repeat(64)];
    await app.server.db`
      insert into audit_entries (action, user_id, device_id, record_key, sha256_before, sha256_after)
      values ('sound-replaced', ${app.server.admin.userID}, ${intoDeviceID}, 4711, decode(${before}, 'hex'), decode(${after}, 'hex'))`;
    const page = await app.open(`/audit?device=${intoDeviceID}`);
    const replaced = page.locator('.row', { hasText: 'Replaced the sound of a clip' });
    await replaced.waitFor();
    expect(await replaced.locator('code').allTextContents()).toEqual(['111111111111…', '222222222222…']);
    expect(await replaced.locator('code').first().getAttribute('title')).toBe(before);
    const merged = page.locator('.row', { hasText: 'Merged a device into another' });
    expect(await merged.textContent()).toContain(`former device ${deviceID}`);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the owner saves the custody of a clip from its page', async () => {
    const { session } = app.server.admin;
    const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'quay' } });
    const { key = 0 } = await session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
    await session.putAudioClipContent({ params: { audioClipID: key }, body: tinyWav() });
    const page = await app.open(`/clips/${key}`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Custody file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`custody-${key}.json`);
    const check = verifyCustody(await readFile(await download.path(), 'utf8'));
    expect(check).toMatchObject({ verdict: 'consistent', statement: { clip: { audioClipID: key, deviceID } } });
  });
});
