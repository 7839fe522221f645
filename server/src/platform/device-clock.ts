const earliestMs = Date.UTC(2000, 0, 1);
const aheadMs = 86_400_000;

/**
 * Undefined if a device cannot mean this time: the clock of a device that was not set shows 1970, and a wrong one may
 * be years ahead.
 */
export function plausibleTime(ms: number | undefined, nowMs = Date.now()): Date | undefined {
  const isPlausible = ms !== undefined && ms >= earliestMs && ms <= nowMs + aheadMs;
  return isPlausible ? new Date(ms) : undefined;
}
