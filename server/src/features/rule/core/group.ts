import type { PlacedClip } from './windows.ts';

/** An alert does not get longer than this: a match whose sound begins later begins a new one. */
export const longestAlertMs = 24 * 3_600_000;

/** The numbers of alerts that matches, sorted by start, make by the times of their sound alone. */
export function countAlerts(matches: readonly PlacedClip[], groupSeconds: number): number {
  let alerts = 0;
  let [firstMs, lastMs] = [-Infinity, -Infinity];
  for (const { startMs } of matches) {
    if (startMs - lastMs > groupSeconds * 1_000 || startMs - firstMs > longestAlertMs) {
      alerts += 1;
      firstMs = startMs;
    }
    lastMs = startMs;
  }
  return alerts;
}
