import { readFile } from 'node:fs/promises';
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
    expect(await violationsOf(page)).toEqual([]);

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
});
