import { fromWall, offsetOf } from '@earshot/contract/time-zone';
import { dayText, timeText } from '../../lib/ui/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  1_000,
  5_000,
  15_000,
  30_000,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
];

export interface Tick {
  readonly time: number;
  readonly text: string;
  readonly isDay: boolean;
}

/** Ticks at round local times of the zone, at least `apartMs` apart. */
export function ticksOf(from: number, to: number, apartMs: number, zone: string): readonly Tick[] {
  const step = steps.find((size) => size >= apartMs) ?? day;
  const ticks: Tick[] = [];
  const firstWall = Math.floor((from + offsetOf(zone, from)) / step) * step;
  for (let wall = firstWall; ; wall += step) {
    const time = fromWall(wall, zone);
    if (time > to) return ticks;
    const isDay = wall % day === 0;
    // When clocks are set back, a local time occurs twice; the later one is used.
    if (time >= from && time > (ticks.at(-1)?.time ?? -Infinity)) {
      ticks.push({ time, isDay, text: isDay ? dayText(time, zone) : timeText(time, zone, step < minute) });
    }
  }
}

/** Midnights of the zone in the range, and the one before it. */
export function midnightsOf(from: number, to: number, zone: string): readonly number[] {
  const nights: number[] = [];
  const firstWall = Math.floor((from + offsetOf(zone, from)) / day) * day;
  for (let wall = firstWall; fromWall(wall, zone) < to; wall += day) nights.push(fromWall(wall, zone));
  return nights;
}
