import { personPassword } from '@earshot/server/testing/person';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDevice, exportStart, lend } from '../../server/src/features/join/tests/lent-device.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';

describe('exports', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole({ exportLimits: { most: 3, mostBytes: 1024 ** 3 } });
  });
  afterAll(() => app.stop());

  test('a reader sees their exports and the limit, and deletes one; the owner sees whose they are', async () => {
    const { admin } = app.server;
    const reader = await app.server.addPerson();
    const deviceID = await addDevice(admin);
    await lend(admin, deviceID, reader);
    const ask = (seconds: number) =>
      reader.session.exportAudioClips({
        body: { deviceID, startEpoch: exportStart, endEpoch: exportStart + seconds },
      });
    await ask(10);
    await ask(11);
    const page = await app.open('/exports', { email: reader.email, password: personPassword });
    const rows = page.locator('main li.row');
    await expect.poll(() => rows.getByRole('link', { name: 'Download' }).count()).toBe(2);
    await expect.poll(() => page.locator('main').innerText()).toContain('2 of at most 3 exports');
    await page
      .getByRole('button', { name: /^Delete the export of/ })
      .first()
      .click();
    await expect.poll(() => rows.count()).toBe(1);
    const owner = await app.open('/exports');
    await expect.poll(() => owner.locator('main').innerText()).toContain(`by ${reader.email}`);
    expect(app.faults).toEqual([]);
  });
});
