import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import { offsetOf } from '@earshot/contract/time-zone';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const clockMs = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
};

/** 1 is Monday. The day of the epoch was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Whether the time is in one of these, by the clock on the wall: both passages of an hour that is repeated when daylight
 * saving time ends are in it, and an hour that is skipped never is. Without times: always.
 */
export const isActiveAt = (times: readonly RuleActiveTime[], ms: number, zoneOfDevice: string | undefined): boolean =>
  times.length === 0 || times.some((time) => isInside(time, ms, zoneOfDevice));

function isInside({ days, from, to, timeZone }: RuleActiveTime, ms: number, zoneOfDevice: string | undefined): boolean {
  const wall = ms + offsetOf(timeZone ?? zoneOfDevice ?? 'UTC', ms);
  const day = Math.floor(wall / dayMs);
  const time = wall - day * dayMs;
  const [begin, end] = [clockMs(from), clockMs(to)];
  const begins = (onDay: number): boolean => !days?.length || days.includes(weekdayOf(onDay));
  if (begin < end) return time >= begin && time < end && begins(day);
  // It ends on the day after.
  return (time >= begin && begins(day)) || (time < end && begins(day - 1));
}
