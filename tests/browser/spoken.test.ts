import { noCaptions } from '@earshot/server/testing/server';
import { readRecordings } from '@earshot/server/testing/speech';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wavBytes } from '../../server/src/platform/media/tests/sound-maker.ts';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { noteLitWords, waitForLitWords } from './lit-words.ts';
import { phone, wide } from './screens.ts';

const phrase = ['leisure', 'to', 'consider'];

describe('recorded speech', needs('chromium', 'speech'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole({ captions: { ...noCaptions, kind: 'moonshine' } });
    const { session } = app.server.admin;
    await session.createDevice({ body: { deviceSerial: 'library', deviceName: 'Library', autoCaption: true } });
    const spoken = readRecordings().find(({ words }) => words.join(' ').includes(phrase.join(' ')));
    const sound = wavBytes({ rate: 16_000, channels: [Float64Array.from(spoken?.samples ?? [])] });
    const { key = 0 } = await session.announceAudioClip({
      params: { audioClipID: 'library' },
      body: { startTime: 1_794_704_400, clipLengthInSeconds: 20 },
    });
    await session.putAudioClipContent({ params: { audioClipID: key }, body: new Uint8Array(sound) });
  });
  afterAll(() => app.stop());

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: is transcribed by the server, found in the search, and played from the hit', async (_name, size) => {
    const page = await app.open(`/search?q=${encodeURIComponent(`"${phrase.join(' ')}"`)}`, { size });
    const hit = page.locator('.hit');
    await hit.waitFor();
    await noteLitWords(page);
    await hit.getByRole('button', { name: 'Play from here' }).click();
    await hit.getByRole('link', { name: 'Open clip' }).click();
    await page.locator('.word.found').first().waitFor();
    expect(await page.locator('.word.found').allTextContents()).toEqual(phrase);
    await waitForLitWords(page, phrase.slice(1));
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
