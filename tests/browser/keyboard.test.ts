import { readFile } from 'node:fs/promises';
import type { Client } from '@earshot/client/client';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soundBytes, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { speak } from './speech.ts';

const clipSeconds = 30;
/** An hour ago, at a round minute. */
const start = Math.floor(Date.now() / 60_000) * 60 - 3_600;
const mostTabs = 120;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  for (let times = 0; times < mostTabs; times += 1) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe('the console without a mouse', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let deviceID: number;
  let clips: readonly number[];
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const body = { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false };
    deviceID = (await client.createDevice({ body })).key ?? 0;
    const announced = await client.announceAudioClips({
      params: { deviceSerial: 'gate' },
      body: [0, 1, 2].map((index) => ({
        startTime: start + index * clipSeconds,
        clipLengthInSeconds: clipSeconds,
      })),
    });
    clips = announced.map(({ key = 0 }) => key);
    for (const audioClipID of clips) {
      await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(clipSeconds) });
    }
    await client.createDevice({ body: { deviceSerial: 'mole', deviceName: 'East mole' } });
    await speak(client, 'mole', start, 'Stand clear of the little gangway, thank you.', 60);
  });
  afterAll(() => app.stop());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a transcript is found, played from the hit, edited and found again', async () => {
    const page = await app.open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press(page, '/');
    await page.keyboard.type('"little gangway"');
    await press(page, 'Enter');
    const hit = page.locator('.hit');
    await tabTo(page, hit.getByRole('button', { name: 'Play from here' }));
    await press(page, 'Enter');
    await hit.locator('.moment.lit', { hasText: 'gangway' }).waitFor();
    // The focus stays on the button, which now pauses.
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Pause: East mole/);
    await press(page, 'Enter');
    await tabTo(page, hit.getByRole('link', { name: 'Open clip' }));
    await press(page, 'Enter');
    await page.locator('.word.found').first().waitFor();
    await press(page, '.');
    expect(await page.locator('.word.lit').count()).toBe(1);

    await tabTo(page, button(page, 'Edit transcript'));
    await press(page, 'Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Transcript text' }));
    await press(page, 'Control+End');
    await page.keyboard.type(' Ahoy!');
    await tabTo(page, button(page, 'Save'));
    await press(page, 'Enter');
    await page.locator('.word', { hasText: 'Ahoy!' }).waitFor();
    await press(page, '/');
    await page.keyboard.type('ahoy');
    await press(page, 'Enter');
    await page.locator('.hit mark', { hasText: 'Ahoy' }).waitFor();
    await page.context().close();
  });

  test('clips are selected and tagged, and the key u undoes it', async () => {
    const page = await app.open(`/clips?device=${deviceID}`);
    await tabTo(page, page.locator('.clip-check input').first());
    await press(page, 'Space', 'Tab', 'Tab', 'Tab', 'Space');
    await page.getByText('2 clips selected').waitFor();
    await tabTo(page, button(page, 'Tag'));
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('night train');
    await press(page, 'Enter');
    // The offer to undo ends after some seconds, but not while it has the focus.
    await button(page, 'Undo').focus();
    const tags = page.locator('.clip-row', { hasText: 'night train' });
    await expect.poll(() => tags.count()).toBe(2);
    await press(page, 'u');
    await expect.poll(() => tags.count()).toBe(0);
    await page.context().close();
  });

  test('a range of the timeline is selected, exported and downloaded', async () => {
    const page = await app.open(`/devices/${deviceID}?tab=timeline`);
    await page.getByText('3 clips', { exact: true }).waitFor();
    await tabTo(page, page.getByRole('application'));
    await press(page, ...Array.from({ length: 10 }, () => '+'));
    await press(page, ...Array.from({ length: 4 }, () => 'Shift+ArrowRight'));
    await page.getByText('20 s, 1 clip, 1 available').waitFor();
    await tabTo(page, button(page, 'Export'));
    await press(page, 'Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Export' }));
    await press(page, 'Enter');
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor();
    await tabTo(page, link);
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')]);
    expect(soundBytes(await readFile(await download.path()))).toBe(20 * 16_000);
    await page.context().close();
  });

  test('an event is sent', async () => {
    const page = await app.open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press(page, 'g', 'e');
    await tabTo(page, button(page, 'Send an event').first());
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Find devices'));
    await page.keyboard.type('North');
    await tabTo(page, dialog.getByRole('checkbox').first());
    await press(page, 'Space');
    await tabTo(page, dialog.getByLabel('Event type'));
    await page.keyboard.type('Reboot');
    await tabTo(page, dialog.getByRole('button', { name: 'Send Reboot', exact: true }));
    await press(page, 'Enter');
    await page.getByText('Reboot is queued.').waitFor();
    expect(await client.listEvents({ body: { deviceID, count: 1 } })).toMatchObject([{ eventType: 'Reboot' }]);
    await page.context().close();
  });

  test('an API key is created, revoked and restored by Undo, which does not time out while it has the focus', async () => {
    const page = await app.open('/settings');
    await page.clock.install();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await press(page, 'g', 'k');
    await tabTo(page, button(page, 'Create key').first());
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Nightly export');
    await press(page, 'Enter');
    const [access, secret] = await (async () => {
      await page.getByText('Copy it now').waitFor();
      return page.locator('dialog pre').allTextContents();
    })();
    const answer = async () =>
      (
        await fetch(`${app.server.url}/v1/agenttype/list`, {
          headers: { authorization: `Basic ${Buffer.from(`${access}:${secret}`).toString('base64')}` },
        })
      ).status;
    await tabTo(page, button(page, 'Done'));
    await press(page, 'Enter');
    const revoke = button(page, 'Revoke Nightly export');
    await tabTo(page, revoke);
    await press(page, 'Enter');
    await revoke.waitFor({ state: 'detached' });
    await press(page, 'u');
    await tabTo(page, revoke);
    await press(page, 'Enter');
    await revoke.waitFor({ state: 'detached' });

    await tabTo(page, button(page, 'Undo'));
    await page.clock.runFor(60_000);
    expect(await button(page, 'Undo').count()).toBe(1);
    expect(await answer()).toBe(200);
    await press(page, 'Shift+Tab');
    await page.clock.runFor(7_000);
    await button(page, 'Undo').waitFor({ state: 'detached' });
    await expect.poll(answer).toBe(401);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
