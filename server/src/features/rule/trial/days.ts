import type { RuleTrialResults } from '@earshot/contract/rule-trial';
import { fromWall, offsetOf } from '@earshot/contract/time-zone';

const dayMs = 86_400_000;

/** How many matches begin on each day of a zone, the oldest day first. */
export function countDays(matches: readonly { readonly startMs: number }[], zone: string): RuleTrialResults['days'] {
  const counts = new Map<number, number>();
  for (const { startMs } of matches.toSorted((one, other) => one.startMs - other.startMs)) {
    const day = Math.floor((startMs + offsetOf(zone, startMs)) / dayMs);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return Array.from(counts, ([day, count]) => ({
    startDate: new Date(fromWall(day * dayMs, zone)).toISOString(),
    count,
  }));
}
