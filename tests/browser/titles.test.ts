import { uploadRecording } from '@earshot/client/upload';
import type { Person } from '@earshot/server/testing/person';
import { personPassword } from '@earshot/server/testing/person';
import type { Page, Request, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { overEdge } from './edges.ts';
import { intercept } from './intercept.ts';
import { phone, wide } from './screens.ts';

const faultsOf = async (page: Page) => [...(await violationsOf(page)), ...(await overEdge(page))];

describe('titles of clips in the console', needs('chromium'), () => {
  let app: Console;
  let person: Person;
  let deviceID = 0;
  const clipIDs: number[] = [];
  const names = ['dawn at the gate.wav', 'dusk at the gate.wav', '<b>100%_sure.wav'];
  beforeAll(async () => {
    app = await startConsole();
    person = await app.server.addPerson();
    deviceID =
      (await person.session.createDevice({ body: { deviceSerial: 'titled', deviceName: 'North gate' } })).key ?? 0;
    const { credential } = await person.withKey();
    for (const [index, filename] of names.entries()) {
      const startDate = new Date(1_780_000_000_000 + index * 60_000).toISOString();
      const metadata = { filename, startDate, deviceID: String(deviceID) };
      const sound = new Blob([tinyWav(0.5 + index / 10)]);
      clipIDs.push(await uploadRecording({ url: app.server.url, credential }, { sound, metadata }));
    }
  });
  afterAll(() => app.stop());
  afterEach(() => expect(app.faults.splice(0)).toEqual([]));

  const open = (path: string, size = wide) =>
    app.open(path, { size, email: person.email, password: personPassword, isStill: true });
  const titleOf = async (audioClipID: number) =>
    (await person.session.getAudioClipRecording({ params: { audioClipID } })).title;

  test.each([
    ['a wide screen', wide, 0],
    ['a phone', phone, 1],
  ])('on %s: a title is changed in place with the keyboard', async (_name, size, index) => {
    const clipID = clipIDs[index] ?? 0;
    const fileTitle = names[index]?.replace('.wav', '') ?? '';
    const page = await open(`/clips/${clipID}`, size);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText(fileTitle, { exact: true }).waitFor();
    await page.getByText(names[index] ?? '', { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const rename = page.getByRole('button', { name: 'Rename' });
    await rename.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Title' });
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.type('Not wanted');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => rename.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await titleOf(clipID)).toBe(fileTitle);

    await page.keyboard.press('Enter');
    await field.fill('  Dawn chorus, <i>first</i> ');
    // What was typed stays if it cannot be saved.
    const isChange = (request: Request) => request.method() !== 'GET';
    const refuse = (route: Route) => (isChange(route.request()) ? route.fulfill({ status: 503 }) : route.fallback());
    await intercept(page, '**/recording', refuse);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Not saved: ').waitFor();
    await page.unroute('**/recording', refuse);
    expect(await field.inputValue()).toBe('  Dawn chorus, <i>first</i> ');
    await page.keyboard.press('Enter');
    await heading.getByText('Dawn chorus, <i>first</i>', { exact: true }).waitFor();
    expect(await titleOf(clipID)).toBe('Dawn chorus, <i>first</i>');
    expect(await page.title()).toBe('Dawn chorus, <i>first</i> · Earshot');

    await rename.click();
    await field.fill('');
    await page.keyboard.press('Enter');
    await heading.getByText(fileTitle, { exact: true }).waitFor();
    await page.context().close();
  });

  test('the list and the overview show titles, and the list is filtered by title from the address', async () => {
    const page = await open('/clips');
    await page.locator('.clip-row', { hasText: 'dawn at the gate' }).waitFor();
    expect(await page.locator('.clip-row').count()).toBe(3);
    await page.getByLabel('Title').fill('100%_');
    await page.keyboard.press('Enter');
    await page.waitForURL(/title=100%25_/);
    await expect.poll(() => page.locator('.clip-row').count()).toBe(1);
    await page.reload();
    await page.locator('.clip-row', { hasText: '<b>100%_sure' }).waitFor();
    expect(await page.locator('.clip-row').count()).toBe(1);
    expect(await page.getByLabel('Title').inputValue()).toBe('100%_');
    await page.goto('/clips?title=GATE');
    await page.locator('.clip-row').first().waitFor();
    expect(await page.locator('.clip-row').count()).toBe(2);
    expect(await faultsOf(page)).toEqual([]);
    await page.goto('/clips?title=nothing+like+it');
    await page.getByRole('button', { name: 'Show all clips' }).waitFor();
    await page.goto('/');
    await page.locator('.sound-row', { hasText: 'dusk at the gate' }).waitFor();
    await page.context().close();
  });

  test('a clip that continues another links to it, and a damaged file is named', async () => {
    const [first = 0, second = 0] = clipIDs;
    await app.server.db`
      update clip_recordings set grown_from_id = ${first}, sound_fault = 'The header gives no size.'
      where audio_clip_id = ${second}`;
    const page = await open(`/clips/${second}`);
    await page.getByText('The header gives no size.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: `clip ${first}` }).click();
    await page.waitForURL(`**/clips/${first}`);
    await page.context().close();
  });
});
