import { longestAlertMs } from '../../rule/public.ts';

/** An alert that is not closed, with the starts of its matches that are near the new ones. */
export interface OpenAlert {
  /** Undefined: it is to be created. */
  readonly key: number | undefined;
  firstMs: number;
  lastMs: number;
  readonly startsMs: number[];
}

/**
 * The alert that a match at this start joins: the earliest of those that have a match at most `groupMs` away and that stay
 * within 24 hours. Undefined: it begins a new one. Alerts that it lies between stay two.
 */
export const findAlertAt = (alerts: readonly OpenAlert[], startMs: number, groupMs: number): OpenAlert | undefined =>
  alerts
    .filter(({ startsMs }) => startsMs.some((each) => Math.abs(each - startMs) <= groupMs))
    .filter(({ firstMs, lastMs }) => Math.max(startMs - firstMs, lastMs - startMs) <= longestAlertMs)
    .toSorted((one, other) => one.firstMs - other.firstMs || (one.key ?? Infinity) - (other.key ?? Infinity))[0];

/** Adds the match to its alert, or to a new one, which is added to the list. */
export function placeMatch(alerts: OpenAlert[], startMs: number, groupMs: number): OpenAlert {
  const found = findAlertAt(alerts, startMs, groupMs);
  if (!found) {
    const begun: OpenAlert = { key: undefined, firstMs: startMs, lastMs: startMs, startsMs: [startMs] };
    alerts.push(begun);
    return begun;
  }
  found.startsMs.push(startMs);
  found.firstMs = Math.min(found.firstMs, startMs);
  found.lastMs = Math.max(found.lastMs, startMs);
  return found;
}
