import type { Client } from '@earshot/client/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import type { LongClip } from './long-clip.ts';
import { makeLongClip } from './long-clip.ts';
import { phone, wide } from './screens.ts';

const start = 1_794_704_400;
/** A limit that only a hang reaches. */

/** The highlighted word and whether it is on the screen, not under the player or the bars. */
const litPlace = (page: Page) =>
  page.evaluate(() => {
    const lit = document.querySelector('.word.lit')?.getBoundingClientRect();
    const top = document.querySelector('.player')!.getBoundingClientRect().bottom;
    const bottom = document.querySelector('.transcript-dock')?.getBoundingClientRect().top ?? innerHeight;
    const isShown = lit !== undefined && lit.top >= top && lit.bottom <= Math.min(bottom, innerHeight);
    return { text: document.querySelector('.word.lit')?.textContent, isShown };
  });

/** Whether lines fill the screen between the player and its bottom. */
const isFilled = (page: Page) =>
  page.evaluate(() => {
    const { bottom } = document.querySelector('.player')!.getBoundingClientRect();
    const { left } = document.querySelector('.transcript')!.getBoundingClientRect();
    return [bottom + 40, (bottom + innerHeight) / 2, innerHeight - 120].every((y) =>
      document.elementFromPoint(left + 60, y)?.closest('.line'),
    );
  });

describe('a transcript of four hours', needs('chromium'), () => {
  let app: Console;
  let client: Client;
  let long: LongClip;
  beforeAll(async () => {
    app = await startConsole();
    client = app.server.admin.session;
    await client.createDevice({
      body: { deviceSerial: 'council-hall', deviceName: 'Council hall', autoCaption: false },
    });
    long = await makeLongClip(client, 'council-hall', start);
  });
  afterAll(() => app.stop());

  const secondsOf = (at: number) => (long.words[at]!.startMs + 1) / 1_000;
  const transcript = async () => (await client.getCaption({ params: { captionID: long.clipID } })).transcript ?? '';
  const showsWord = async (page: Page, at: number) => {
    const text = long.words[at]!.text;
    await page.waitForFunction((wanted) => document.querySelector('.word.lit')?.textContent === wanted, text);
    await expect.poll(() => litPlace(page)).toEqual({ text, isShown: true });
  };

  test.each([
    ['on a wide screen', wide],
    ['on a phone', phone],
  ])('a hit deep in it is shown, and every other place that is sought, %s', async (_name, size) => {
    const page = await app.open(`/clips/${long.clipID}?t=${secondsOf(20_000)}&q=n20000`, { size });
    await showsWord(page, 20_000);
    expect(await page.locator('.word.found').allTextContents()).toEqual(['n20000']);
    expect(await page.locator('.word').count()).toBeLessThan(3_000);
    await expect.poll(() => isFilled(page)).toBe(true);

    for (const at of [29_990, 10, 14_000, 26_000, 3_990]) {
      await page.evaluate(
        `history.pushState(null, '', '?t=${secondsOf(at)}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await showsWord(page, at);
    }
    await expect.poll(() => isFilled(page)).toBe(true);

    // What is at the top stays there when all lines break elsewhere.
    await page.setViewportSize({ width: size.width - 60, height: size.height });
    await expect.poll(() => litPlace(page)).toEqual({ text: long.words[3_990]!.text, isShown: true });

    // Scrolling back through lines that were never measured does not jump or leave a gap.
    await page.mouse.move(size.width / 2, size.height - 200);
    for (let times = 0; times < 12; times += 1) {
      await page.mouse.wheel(0, -600);
      await page.waitForTimeout(30);
    }
    await expect.poll(() => isFilled(page)).toBe(true);
    await page.context().close();
  });

  test('playback is followed; a doubtful word and a line beyond the screen are reached by keyboard', async () => {
    const { db } = app.server;
    await db`update caption_versions set segments = jsonb_set(segments, '{2000,words,1,confidence}', '69')
      where audio_clip_id = ${long.clipID}`;
    const page = await app.open(`/clips/${long.clipID}?t=${secondsOf(15_000)}`);
    await showsWord(page, 15_000);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    for (let times = 0; times < 12; times += 1) {
      await page.keyboard.press('ArrowRight');
      await page.waitForTimeout(100);
    }
    // A word may end in between, so both are read at once and tried again.
    await expect.poll(async () => (await litPlace(page)).isShown).toBe(true);
    const lit = (await litPlace(page)).text ?? '';
    const from = long.words[15_000]!.startMs;
    const around = long.words.filter(({ startMs }) => startMs > from + 40_000 && startMs < from + 90_000);
    expect(around.map(({ text }) => text)).toContain(lit);
    await page.getByRole('button', { name: 'Pause' }).click();

    await page.keyboard.press('d');
    await page.locator('.word.lit.doubtful').waitFor();
    await expect.poll(async () => (await litPlace(page)).isShown).toBe(true);
    expect(await page.locator('.word.doubtful').getAttribute('title')).toBe('Doubtful: 69 %');

    await page.locator('.line-time[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await page.locator('.line:last-child .line-time:focus').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await litPlace(page)).isShown).toBe(true);
    expect(await page.locator('.line:last-child').getAttribute('aria-posinset')).toBe(
      await page.locator('.line:last-child').getAttribute('aria-setsize'),
    );
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('words are corrected in place, kept when the page is left, reloaded or the session ends, and saved in one request', async () => {
    const page = await app.open(`/clips/${long.clipID}?t=${secondsOf(20_000)}`);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const offer = page.getByRole('button', { name: 'Continue draft' });
    const puts: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && puts.push(request.url()));
    await showsWord(page, 20_000);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.locator('[data-w="20000"]').dblclick();
    const editor = page.locator('.word-input:focus');
    await editor.fill('Number');
    await page.keyboard.press('Tab');
    expect(await editor.inputValue()).toBe(long.words[20_001]!.text);
    await page.keyboard.type('changed');
    await page.keyboard.press('Shift+Tab');
    expect(await editor.inputValue()).toBe('Number');
    await page.keyboard.press('Escape');
    await page.locator('.transcript:focus').waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
    await page.getByText('2 changed words not saved.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(puts).toEqual([]);

    // Leaving asks. The correction is offered again after it.
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leave = () => page.getByRole('link', { name: 'Devices', exact: true }).first().click();
    await leave();
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByText('2 changed words not saved.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/clips/${long.clipID}`);
    await leave();
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.goBack();
    await page.getByText('2 changed words.').waitFor();
    await offer.click();
    await page.getByText('2 changed words not saved.').waitFor();

    // The third word is only half-written.
    await page.locator('.word.edited', { hasText: 'Number' }).waitFor();
    await page.locator('[data-w="20003"]').dblclick();
    await editor.fill('half');
    expect(asked).toEqual([]);
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page.getByText('3 changed words.').waitFor();
    await offer.click();
    await page.getByText('3 changed words not saved.').waitFor();
    await page.locator('.word.edited', { hasText: 'half' }).waitFor();

    // The session ends while the correction is saved.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await offer.click();
    puts.length = 0;
    await page.keyboard.press('Control+s');
    await page.getByText('The transcript is saved.').waitFor();
    await page.locator('.correction-bar').waitFor({ state: 'detached' });
    expect(puts).toHaveLength(1);
    const words = (await transcript()).split(' ');
    expect(words.slice(19_999, 20_005)).toEqual([
      long.words[19_999]!.text,
      'Number',
      'changed',
      long.words[20_002]!.text,
      'half',
      long.words[20_004]!.text,
    ]);
    expect(words).toHaveLength(30_000);
    await page.reload();
    await page.locator('.line').first().waitFor();
    expect(await offer.count()).toBe(0);
    await page.context().close();
  });

  test('text is found and replaced in all of it, undone, and kept when someone else saves', async () => {
    const page = await app.open(`/clips/${long.clipID}?t=${secondsOf(10_000)}`, { size: phone });
    await showsWord(page, 10_000);
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('n29990');
    await page.locator('.word.current').waitFor();
    expect(await page.locator('.word.current').textContent()).toContain('n29990');
    await page.getByRole('textbox', { name: 'Find' }).fill('island passengers');
    const count = (await transcript()).match(/island passengers/gu)?.length ?? 0;
    await page.locator('.find-count', { hasText: `of ${count.toLocaleString('en')}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.word.current').first().waitFor();
    await page.getByRole('textbox', { name: 'Replace with' }).fill('island travellers');
    await page.getByRole('button', { name: 'Replace all' }).click();
    await page.getByText(`${count.toLocaleString('en')} matches replaced.`).waitFor();
    await page.getByRole('button', { name: 'Undo change' }).click();
    await page.locator('.correction-bar').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('1 changed word not saved.').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const theirs = (await transcript()).replace('n29990', 'theirs');
    await client.correctCaption({ params: { captionID: long.clipID }, body: { transcript: theirs } });
    await page.getByText('Someone else saved a newer version.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The transcript is saved.').waitFor();
    const saved = await transcript();
    expect(saved.match(/island travellers/gu)).toHaveLength(1);
    expect(saved).toContain('theirs');
    await page.context().close();
  });

  test('signing out removes drafts, and all lines are printed', async () => {
    const page = await app.open(`/clips/${long.clipID}`);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.locator('.line').first().waitFor();
    await page.keyboard.press('e');
    await page.locator('.word-input').fill('kept');
    await page.keyboard.press('Enter');
    const draftCount = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('earshot draft')).length);
    expect(await draftCount()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.print-transcript p').count()).toBeGreaterThan(1_500);
    const printed = await page.evaluate(() => ({
      first: document.querySelector('.print-transcript p')?.textContent,
      controls: [...document.querySelectorAll('button, input, audio')].filter((one) => one.checkVisibility()).length,
    }));
    expect(printed.first).toMatch(/^0:00kept /);
    expect(printed.controls).toBe(0);
    // The list is hidden on paper, and does not render all of its lines because they have no height.
    expect(await page.locator('.line').count()).toBeLessThan(200);
    await page.emulateMedia({ media: 'screen' });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await draftCount()).toBe(0);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
