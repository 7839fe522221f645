/** Clips that follow each other within this time adjoin. */
const adjoinMs = 5_000;
const leastClips = 4;
const leastShare = 0.75;

interface TimedClips {
  readonly count: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/**
 * Whether the device seems to record all the time: most clips adjoin the next one. Then a gap is a recording that is
 * missing. A device that records when it is triggered has gaps by design.
 */
export function recordsContinuously({ count, starts, ends }: TimedClips): boolean {
  if (count < leastClips) return false;
  let adjoining = 0;
  for (let index = 1; index < count; index += 1) {
    if (starts[index]! - ends[index - 1]! <= adjoinMs) adjoining += 1;
  }
  return adjoining >= leastShare * (count - 1);
}

/** What a time without a clip is called. */
export const gapText = (isContinuous: boolean): string => (isContinuous ? 'Not recorded' : 'No recording');
