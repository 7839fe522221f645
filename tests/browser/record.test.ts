import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personPassword } from '@earshot/server/testing/person';
import { noCaptions } from '@earshot/server/testing/server';
import { readRecordings } from '@earshot/server/testing/speech';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wavBytes } from '../../server/src/platform/media/tests/sound-maker.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

const said = 'leisure to consider';

describe('recording in the browser', needs('chromium', 'speech'), () => {
  let app: Console;
  let folder: string;
  let seconds = 0;
  beforeAll(async () => {
    // Chromium plays this file as its microphone.
    const spoken = readRecordings().find(({ words }) => words.join(' ').includes(said));
    const samples = Float64Array.from(spoken?.samples ?? []);
    seconds = samples.length / 16_000;
    folder = await mkdtemp(join(tmpdir(), 'earshot-microphone-'));
    const path = join(folder, 'speech.wav');
    await writeFile(path, wavBytes({ rate: 16_000, channels: [samples] }));
    app = await startConsole({ captions: { ...noCaptions, kind: 'moonshine' } }, undefined, [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${path}`,
    ]);
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: a person speaks, sees the words and finds them', async (_name, size) => {
    const { email } = await app.server.addPerson();
    const page = await app.open('/record', { size, email, password: personPassword });
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Recording for').waitFor({ state: 'attached' });
    // As long as the sound that the microphone plays.
    const recordedSeconds = async () => {
      const [, minutes = 0, rest = 0] = /(\d+):(\d+)$/.exec(await page.locator('.record-clock').innerText()) ?? [];
      return 60 * Number(minutes) + Number(rest);
    };
    await expect.poll(recordedSeconds).toBeGreaterThan(seconds);
    expect(await page.getByLabel('Loudness').evaluate((meter: HTMLMeterElement) => meter.value)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Uploaded. Transcribing…').or(page.locator('.heard')).waitFor();
    await page.locator('.heard').waitFor();
    await page.goto(`/search?q=${encodeURIComponent('consider')}`);
    await page
      .locator('.hit mark', { hasText: /^consider/i })
      .first()
      .waitFor();
    await page.context().close();
  });

  test('a microphone that may not be used says what to do', async () => {
    const page = await app.open('/record');
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Allow it in the address bar').waitFor();
    await page.context().close();
    expect(app.faults).toEqual([]);
  });
});
