import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestEars, type TestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { caption } from '../../server/src/features/caption-search/tests/speech.ts';
import { noBrowser } from './browser.ts';
import { type Console, startConsole } from './console.ts';
import { makeSound } from './speech.ts';

const deviceSerial = 'recorder-17';
const startTime = 1_794_704_400;

describe.skipIf(noBrowser !== undefined)('a clip that is being transcribed', () => {
  let app: Console;
  let engines: TestEars;
  beforeAll(async () => {
    engines = createTestEars();
    app = await startConsole({}, engines);
    await app.server.admin.session.createDevice({
      body: { deviceSerial, deviceName: 'North gate', autoCaption: true },
    });
  });
  afterAll(() => app.stop());

  const addClip = async (atSeconds: number) => {
    const body = { startTime: startTime + atSeconds, clipLengthInSeconds: 4 };
    const clip = await app.server.admin.session.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
    return { key: clip.key ?? 0, deviceID: clip.deviceID ?? 0 };
  };

  test('shows the progress, and the transcript when it is ready', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    engines.before = () => finished;
    const { key } = await addClip(0);
    const page = await app.open(`/clips/${key}`);
    await page.getByText('The clip can be transcribed after its audio is uploaded.').waitFor();
    const sound = makeSound([], 4);
    await app.server.admin.session.putAudioClipContent({ params: { audioClipID: key }, body: sound });
    await page.getByText('Transcribing').waitFor();
    finish();
    await page.locator('.word', { hasText: 'three' }).click();
    expect(await page.locator('.word.lit').textContent()).toBe('three');
    await page.context().close();
  });

  test('marks lines in an unknown language', async () => {
    const clip = await addClip(60);
    const line = { endMs: 900, confidence: 40, isLanguageKnown: true };
    const words = [{ text: 'Hello.', startMs: 0, endMs: 800, confidence: 90 }];
    await caption(app.server.db, clip, 'Hello.', [
      { ...line, startMs: 0, text: 'Hello.', words },
      { ...line, startMs: 2_000, endMs: 3_500, text: '', words: [], isLanguageKnown: false },
    ]);
    const page = await app.open(`/clips/${clip.key}`);
    await page.locator('.line', { hasText: '0:02' }).getByText('Unknown language').waitFor();
    expect(await page.getByText('Unknown language').count()).toBe(1);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
