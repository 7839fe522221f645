import { plausibleTime } from '../../../platform/device-clock.ts';

/** When sound ended; if the clock of its device was wrong, when it arrived. */
export const ageMs = (
  { startMs, endMs, arrivalMs }: { readonly startMs: number; readonly endMs: number; readonly arrivalMs: number },
  nowMs: number,
): number => nowMs - (plausibleTime(startMs, nowMs) ? endMs : arrivalMs);
