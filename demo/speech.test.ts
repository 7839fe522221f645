import { expect, test } from 'vitest';
import { createRandom } from './day.ts';
import { createSpeech } from './speech.ts';
import { readSpokenWav } from './wav.ts';

test('sentences are spoken one after the other, also through a radio channel', async () => {
  const speech = createSpeech(createRandom(1));
  const voice = { voice: 'slt', pitch: 1 } as const;
  const [plain, radio] = await Promise.all([
    speech.speak(voice, 'The north gate is open.'),
    speech.speak(voice, 'The north gate is open.', 10),
  ]);
  const [spoken, noisy] = [readSpokenWav(plain), readSpokenWav(radio)];
  expect(spoken.values.length).toBeGreaterThan(16_000);
  expect(noisy.values).not.toEqual(spoken.values);
});
