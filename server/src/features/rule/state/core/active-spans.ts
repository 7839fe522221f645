import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import { offsetOf } from '@earshot/contract/time-zone';
import { isActiveAt } from '../../core/active-times.ts';
import type { StateSpan } from './spans.ts';

const msPerMinute = 60_000;
const dayMs = 24 * 60 * msPerMinute;

/** A time that does not come within this is never: the longest week, twice. */
const searchedMs = 16 * dayMs;

/**
 * The parts of a span that are in the active times, in order. Of a span without an end those that begin within two weeks of its start or of
 * `untilMs`, whichever is later.
 */
export function* activeSpans(
  times: readonly RuleActiveTime[],
  span: StateSpan,
  zoneOfDevice: string | undefined,
  untilMs: number,
): Generator<StateSpan> {
  if (times.length === 0) {
    yield span;
    return;
  }
  const lastMs = Math.min(span.endMs, Math.max(span.startMs, untilMs) + searchedMs);
  let beganMs: number | undefined;
  for (let atMs = span.startMs; atMs < lastMs; atMs = nextChange(times, atMs, zoneOfDevice)) {
    const isActive = isActiveAt(times, atMs, zoneOfDevice);
    if (isActive) beganMs ??= atMs;
    else if (beganMs !== undefined) {
      yield { startMs: beganMs, endMs: atMs };
      beganMs = undefined;
    }
  }
  if (beganMs !== undefined) yield { startMs: beganMs, endMs: lastMs };
}

/** The next time at which an active time can begin or end: by the clock on the wall, or because that clock is changed. */
function nextChange(times: readonly RuleActiveTime[], ms: number, zoneOfDevice: string | undefined): number {
  let nextMs = Infinity;
  for (const { from, to, timeZone } of times) {
    const zone = timeZone ?? zoneOfDevice ?? 'UTC';
    const offset = offsetOf(zone, ms);
    const timeOfDay = (((ms + offset) % dayMs) + dayMs) % dayMs;
    for (const clock of [clockMs(from), clockMs(to)]) {
      const atMs = ms + ((clock - timeOfDay + dayMs) % dayMs || dayMs);
      nextMs = Math.min(nextMs, offsetOf(zone, atMs) === offset ? atMs : changeOfOffset(zone, ms, atMs));
    }
  }
  return nextMs;
}

const clockMs = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * msPerMinute;
};

/** The first millisecond with another offset than at the start; offsets change within minutes. */
function changeOfOffset(zone: string, fromMs: number, toMs: number): number {
  const offset = offsetOf(zone, fromMs);
  let [before, after] = [fromMs, toMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetOf(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
