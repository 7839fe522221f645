import type { Client } from '@earshot/client/client';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { noteLitWords, notedLitWords, waitForLitWords } from './lit-words.ts';
import { phone, wide } from './screens.ts';
import type { Spoken } from './speech.ts';
import { makeSound, speak } from './speech.ts';

const hostile =
  '<img src=x onerror=alert(1)> مرحبا بالعالم 🎙️ ' + 'very'.repeat(45) + ' </span><script>alert(2)</script>';
const start = 1_794_704_400;

/** The highlight follows in the next frame. */
const expectLit = (page: Page, text: string | undefined) =>
  expect.poll(() => page.locator('.word.lit').textContent()).toBe(text);
const seconds = async (page: Page) =>
  Number(await page.getByRole('slider', { name: 'Position in the clip' }).getAttribute('aria-valuenow'));

describe('listening and searching in the console', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  const deviceSerial = 'harbour-east';
  let first: Spoken;
  let second: Spoken;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    const body = { deviceSerial, deviceName: 'Harbour', timeZone: 'Pacific/Kiritimati' };
    await client.createDevice({ body });
    const text =
      'Good morning. The ferry to the island leaves from the east mole at a quarter past nine. Mind the step.';
    first = await speak(client, deviceSerial, start, text);
    second = await speak(client, deviceSerial, start + 60, 'The fog is gone now. Please come aboard.');
  });
  afterAll(() => app.stop());

  const open = (path: string, size = wide) => app.open(path, { size });
  const wordAt = (text: string) => first.words.find((word) => word.text === text)!;

  test.each([
    ['a wide screen', wide, 'Fähre'],
    ['a phone', phone, 'Überfahrt'],
  ])('on %s: a phrase is found and played, and an edited transcript is found', async (_name, size, correction) => {
    const spoken = await speak(
      client,
      deviceSerial,
      start + size.width,
      'Stand clear of the little gangway, thank you.',
      60,
    );
    const page = await open('/search', size);
    await page.getByRole('searchbox', { name: 'Search transcripts' }).fill('"little gangway"');
    const hit = page.locator('.hit');
    await hit.waitFor();
    expect(await hit.locator('mark').allTextContents()).toEqual(['little gangway']);
    await noteLitWords(page);
    await hit.getByRole('button', { name: 'Play from here' }).click();
    await hit.locator('.moment.lit', { hasText: 'gangway' }).waitFor();

    await hit.getByRole('link', { name: 'Open clip' }).click();
    await page.locator('.word.found').first().waitFor();
    await waitForLitWords(page, ['little', 'gangway,']);
    expect(await page.locator('.word.found').allTextContents()).toEqual(['little', 'gangway,']);
    await page.getByRole('button', { name: 'Pause' }).click();

    await page.getByRole('button', { name: 'Edit transcript' }).click();
    const words = page.getByRole('textbox', { name: 'Transcript text' });
    await words.fill((await words.inputValue()).replace('gangway', correction));
    await page.getByRole('button', { name: 'Save' }).click();
    const corrected = page.locator('.word', { hasText: correction });
    await corrected.click();
    await expectLit(page, `${correction},`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

    await page.goto('/search?q=' + encodeURIComponent(correction.normalize('NFD').replace('\u0308', '').toLowerCase()));
    await page.locator('.hit mark', { hasText: correction }).waitFor();
    await page.goto('/search?q=gangway');
    await page.getByText('No results').waitFor();
    await client.deleteAudioClip({ params: { audioClipID: spoken.clipID } });
    await page.context().close();
  });

  test('the current word is highlighted after seeking by address, click, keyboard and waveform', async () => {
    const page = await open(`/clips/${first.clipID}?t=${(wordAt('island').startMs + 20) / 1_000}`);
    await page.locator('.word.lit', { hasText: 'island' }).waitFor();
    await page.keyboard.press('.');
    await expectLit(page, 'leaves');
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await expectLit(page, 'the');
    await page.getByText('quarter').click();
    await expectLit(page, 'quarter');
    const at = wordAt('quarter').startMs;
    await page.keyboard.press('Shift+ArrowRight');
    const later = first.words.findLast(({ startMs }) => startMs <= at + 1_000);
    await expectLit(page, later?.text);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await seconds(page)).toBe(0);
    const wave = page.locator('.waveform');
    const { width, height } = (await wave.boundingBox())!;
    const lengthMs = 1_000 * Number(await wave.getAttribute('aria-valuemax'));
    const { startMs, endMs } = wordAt('mole');
    await wave.click({ position: { x: ((startMs + endMs) / 2 / lengthMs) * width, y: height / 2 } });
    await expectLit(page, 'mole');
    await page.locator('.line-time').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectLit(page, 'The');
    await page.keyboard.press('+');
    expect(await page.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('1.25');
    await page.context().close();
  });

  test('a range is repeated, and playback continues when repeat is off', async () => {
    const page = await open(`/clips/${first.clipID}?t=0.5`);
    await page.locator('.word.lit', { hasText: 'Good' }).waitFor();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: '0:00–0:01', pressed: true }).waitFor();
    await noteLitWords(page);
    await page.keyboard.press('Space');
    await waitForLitWords(page, ['morning.', 'Good', 'morning.', 'Good']);
    expect(new Set(await notedLitWords(page))).toEqual(new Set(['Good', 'morning.']));
    await page.keyboard.press('l');
    await waitForLitWords(page, ['ferry']);
    await page.context().close();
  });

  test('playback continues with the next clip and its transcript', async () => {
    const page = await open(`/clips/${first.clipID}?t=${wordAt('step.').startMs / 1_000}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForURL(`**/clips/${second.clipID}`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.locator('.transcript', { hasText: 'fog' }).locator('.word.lit').waitFor();
    await page.keyboard.press('p');
    await page.waitForURL(`**/clips/${first.clipID}`);
    await page.getByText('ferry').waitFor();
    await page.context().close();
  });

  test('conflicting edits are not lost, and any version can be restored', async () => {
    const { clipID } = await speak(client, deviceSerial, start + 3_000, 'One two three.');
    const page = await open(`/clips/${clipID}`);
    await page.getByRole('button', { name: 'Edit transcript' }).click();
    await page.getByRole('textbox', { name: 'Transcript text' }).fill('\nOne two\n\nmine. ');
    await client.correctCaption({ params: { captionID: clipID }, body: { transcript: 'One two theirs.' } });
    await page.getByText('Someone else saved a newer version.').waitFor();
    await page.locator('.their-words', { hasText: 'One two theirs.' }).waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.locator('.word', { hasText: 'mine.' }).waitFor();
    const { transcript } = await client.getCaption({ params: { captionID: clipID } });
    expect(transcript).toBe('\nOne two\n\nmine. ');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.word', { hasText: 'theirs.' }).waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.word', { hasText: 'three.' }).waitFor();
    expect((await client.getCaption({ params: { captionID: clipID } })).transcript).toBe('One two three.');
    await page.context().close();
  });

  test('a half-written text is offered again after a reload, leaving and an ended session', async () => {
    const { clipID } = await speak(client, deviceSerial, start + 3_500, 'One two three.');
    const page = await open(`/clips/${clipID}`);
    page.on('dialog', (dialog) => void dialog.accept());
    const text = page.getByRole('textbox', { name: 'Transcript text' });
    const offer = page.getByRole('button', { name: 'Continue draft' });
    await page.getByRole('button', { name: 'Edit transcript' }).click();
    await text.fill('One two and a half');
    await page.reload();
    await offer.click();
    expect(await text.inputValue()).toBe('One two and a half');

    await page.getByRole('link', { name: 'Devices', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.goBack();
    await offer.click();

    await text.fill('One two and three quarters');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await offer.click();
    expect(await text.inputValue()).toBe('One two and three quarters');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.word', { hasText: 'quarters' }).waitFor();
    await page.context().close();
  });

  test('tags are added at the current position, seek to it, and can be removed', async () => {
    const page = await open(`/clips/${first.clipID}?t=3.25`);
    await page.getByPlaceholder('Add a tag at 0:03').fill('<i>gull</i>');
    await page.keyboard.press('Enter');
    const chip = page.locator('.chip', { hasText: '<i>gull</i>' });
    await chip.getByText('0:03').waitFor();
    const tags = () => client.listAudioClipTags({ params: { audioClipID: first.clipID } });
    expect(await tags()).toMatchObject([{ tagName: '<i>gull</i>', timestamp: start + 3, timestampMs: 250 }]);
    await page.getByText('Mind').click();
    await chip.getByRole('button', { name: '0:03' }).first().click();
    expect(await seconds(page)).toBe(3);
    await chip.getByRole('button', { name: /^Remove/ }).click();
    await chip.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await chip.waitFor();
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('button', { name: 'Locked', pressed: true }).waitFor();
    expect((await client.getAudioClipLock({ params: { audioClipID: first.clipID } })).locked).toBe(true);
    await page.context().close();
  });

  test('an upload is requested, and audio and transcript appear when they arrive', async () => {
    const body = { startTime: start + 4_000, clipLengthInSeconds: 5 };
    const { key: clipID = 0 } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
    const page = await open(`/clips/${clipID}`);
    await page.getByRole('button', { name: 'Request upload' }).click();
    await page.getByText('You can play the clip when the upload is complete.').waitFor();
    expect((await client.getAudioClip({ params: { audioClipID: clipID } })).audioClipStatus).toBe(1);
    await client.putAudioClipContent({ params: { audioClipID: clipID }, body: makeSound([], 5) });
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await client.correctCaption({ params: { captionID: clipID }, body: { transcript: '' } });
    await page.getByText('No speech found').waitFor();
    await client.correctCaption({ params: { captionID: clipID }, body: { transcript: 'After all.' } });
    await page.locator('.word', { hasText: 'After' }).waitFor();
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('axe finds no violation during playback and editing, %s', async (theme) => {
    const page = await app.open(`/clips/${first.clipID}?q=ferry`, { theme });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.word.lit').waitFor();
    await page.keyboard.press('l');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Edit transcript' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('/search?q=ferry');
    await page.getByRole('button', { name: 'Play from here' }).first().click();
    await page.locator('.moment.lit').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('a transcript is always rendered as text', async () => {
    const { clipID } = await speak(client, deviceSerial, start + 5_000, hostile);
    const page = await open(`/clips/${clipID}?q=img`, phone);
    await page.locator('.transcript .word').first().waitFor();
    const shown = await page.locator('.line-text').allTextContents();
    expect(shown.join('').replaceAll(/\s+/g, ' ').trim()).toBe(hostile.replaceAll(/\s+/g, ' '));
    await page.goto('/search?q=onerror');
    expect(await page.locator('.hit-snippet').textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });

  test('highlighting one of ten thousand words changes two elements', async () => {
    const words = Array.from({ length: 10_000 }, (_, at) => ({
      text: at % 12 === 11 ? `word${at}.` : `word${at}`,
      startMs: at * 200,
      endMs: at * 200 + 180,
    }));
    const { clipID } = await speak(client, deviceSerial, start + 9_000, '', 20);
    await client.correctCaption({ params: { captionID: clipID }, body: { words } });
    const page = await open(`/clips/${clipID}?t=5`);
    await page.locator('.word.lit', { hasText: 'word25' }).waitFor();
    expect(await page.locator('.word').count()).toBeLessThan(3_000);
    await page.evaluate(`
      window.touched = 0;
      new MutationObserver((changes) => { window.touched += changes.length; }).observe(
        document.querySelector('.transcript'), { subtree: true, childList: true, attributes: true, characterData: true })`);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('.lit')?.textContent ?? '')) >= 30);
    await page.getByRole('button', { name: 'Pause' }).click();
    // Both in one step, or the highlight could move in between.
    const { touched, lit } = await page.evaluate<{ touched: number; lit: string }>(
      `({ touched: window.touched, lit: document.querySelector('.word.lit').textContent })`,
    );
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThanOrEqual(2 * (Number(/\d+/.exec(lit)?.[0]) - 25));
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
