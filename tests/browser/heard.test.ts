import { noCaptions } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { caption } from '../../server/src/features/caption-search/tests/speech.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { makeSound } from './speech.ts';

const deviceSerial = 'recorder-17';
const startTime = 1_794_704_400;

describe('a clip that is being transcribed', needs('chromium'), () => {
  let app: Console;
  let engines: TestEars;
  beforeAll(async () => {
    engines = createTestEars();
    // The words are saved after each second of sound.
    app = await startConsole({ captions: { ...noCaptions, pace: { saveEveryMs: 0, turnMs: 60_000 } } }, engines);
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

  test('shows words while the rest is heard, and then the whole transcript', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    engines.before = () => {};
    engines.eachSecond = (second) => (second === 3 ? finished : undefined);
    const { key } = await addClip(30);
    await app.server.admin.session.putAudioClipContent({ params: { audioClipID: key }, body: makeSound([], 4) });
    const page = await app.open(`/clips/${key}`);
    await page.locator('.word', { hasText: 'three' }).waitFor();
    await page.getByText('0:03 of 0:04').waitFor();
    expect(await page.getByRole('button', { name: 'Edit transcript' }).count()).toBe(0);
    finish();
    await page.locator('.word', { hasText: 'four' }).waitFor();
    await page.getByRole('button', { name: 'Edit transcript' }).waitFor();
    expect(await page.getByText('0:03 of 0:04').count()).toBe(0);
    expect(await page.locator('.word').allTextContents()).toEqual(['one', 'two', 'three', 'four.']);
    engines.eachSecond = undefined;
    await page.context().close();
  });

  test('marks doubtful words, words of the vocabulary, and speech without words, which plays on click', async () => {
    const clip = await addClip(60);
    await app.server.admin.session.putAudioClipContent({ params: { audioClipID: clip.key }, body: makeSound([], 4) });
    const line = { endMs: 900, confidence: 40, isLanguageKnown: true };
    const words = [
      { text: 'Hello', startMs: 0, endMs: 400, confidence: 90 },
      { text: 'Quayside.', startMs: 400, endMs: 800, confidence: 60, isDoubtful: true, heardAs: 'key side.' },
    ];
    await caption(app.server.db, clip, 'Hello Quayside.', [
      { ...line, startMs: 0, text: 'Hello Quayside.', words },
      { ...line, startMs: 2_000, endMs: 2_900, text: '', words: [], isUnderstood: false },
      { ...line, startMs: 3_000, endMs: 3_500, text: '', words: [], isLanguageKnown: false, language: 'es' },
    ]);
    const page = await app.open(`/clips/${clip.key}`);
    await page.locator('.word.doubtful.expected', { hasText: 'Quayside' }).waitFor();
    await page.getByText('heard as “key side.”').waitFor();
    await page.getByText('Spanish, not transcribed').waitFor();
    await page.locator('.line', { hasText: '0:02' }).getByText('Speech not understood').click();
    await page.getByRole('button', { name: 'Pause' }).first().waitFor();
    await page.context().close();
  });

  test('the vocabulary is edited in plain words', async () => {
    const page = await app.open('/vocabulary');
    await page.getByRole('button', { name: 'Add terms' }).click();
    await page.getByRole('textbox', { name: 'Terms' }).fill('Quayside = key side, kay side\nEngine 96');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('also key side, kay side').waitFor();
    await page.getByRole('button', { name: 'Remove Engine 96' }).click();
    await page.getByText('Engine 96').waitFor({ state: 'detached' });
    expect(await app.server.admin.session.listVocabulary()).toMatchObject([{ term: 'Quayside' }]);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
    expect(app.logErrors).toEqual([]);
  });
});
