import { expect, test } from 'vitest';
import { soundFactsText } from './sound-facts.ts';

const audioClipID = 1;
const measured = { audioClipID, levelDb: -23.01, peakDb: -6, clippedPercent: 0, isDigitalSilence: false };

test('what was measured is one line, and what is unknown is not told', () => {
  expect(soundFactsText({ audioClipID })).toBeUndefined();
  expect(soundFactsText({ audioClipID, fault: 'The sound is empty.' })).toBe('could not be measured');
  expect(soundFactsText({ ...measured, isDigitalSilence: true })).toBe('digital silence');
  expect(soundFactsText(measured)).toBe('−23 dBFS');
  expect(soundFactsText({ ...measured, speechSeconds: 0 })).toBe('−23 dBFS · no speech');
  expect(soundFactsText({ ...measured, clippedPercent: 0.01, repeatedSeconds: 0.2, speechSeconds: 75 })).toBe(
    '−23 dBFS · under 0.1 % clipped · under 1 s repeated · 1 min 15 s of speech',
  );
  expect(soundFactsText({ ...measured, clippedPercent: 12.34, speechSeconds: 12.5 })).toBe(
    '−23 dBFS · 12.3 % clipped · 13 s of speech',
  );
});
