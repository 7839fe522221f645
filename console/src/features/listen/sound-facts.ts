import type { AudioClipFacts } from '@earshot/contract/clip-facts';
import { durationText } from '@earshot/contract/duration-text';

/** What was measured in the sound of a clip, as one line; undefined if nothing is known. A missing fact is not told. */
export function soundFactsText(facts: AudioClipFacts): string | undefined {
  const { isDigitalSilence, levelDb, clippedPercent = 0, speechSeconds, repeatedSeconds = 0 } = facts;
  if (levelDb === undefined) return facts.fault === undefined ? undefined : 'could not be measured';
  if (isDigitalSilence === true) return 'digital silence';
  const parts = [
    `${decibels(levelDb)} dBFS`,
    clippedPercent > 0 && `${clippedPercent < 0.1 ? 'under 0.1' : clippedPercent.toFixed(1)} % clipped`,
    repeatedSeconds > 0 && `${seconds(repeatedSeconds)} repeated`,
    speechSeconds !== undefined && (speechSeconds > 0 ? `${seconds(speechSeconds)} of speech` : 'no speech'),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

const decibels = (value: number): string => Math.round(value).toString().replace('-', '−');

/** Never 0: shorter than a second is told so. */
const seconds = (value: number): string => (value < 1 ? 'under 1 s' : durationText(value * 1000));
