import type { RuleTrialResults } from '@earshot/contract/rule-trial';
import { usualTrialDays } from '@earshot/contract/rule-trial';
import { dateText, dayText, viewerZone } from '../../lib/ui/clock.ts';

const dayMs = 86_400_000;

/** A bar for each of the last 30 days; days without matches are empty. */
export function DayBars({ days }: { readonly days: RuleTrialResults['days'] }) {
  const zone = viewerZone();
  const counts = new Map(days.map(({ startDate, count }) => [dateText(Date.parse(startDate), zone), count]));
  const now = Date.now();
  const all = Array.from({ length: usualTrialDays + 1 }, (_, at) => now - (usualTrialDays - at) * dayMs);
  const most = Math.max(1, ...counts.values());
  return (
    <div class="trial-days">
      <ol class="days" aria-label="Matches by day">
        {all.map((ms) => {
          const count = counts.get(dateText(ms, zone)) ?? 0;
          const text = `${dayText(ms, zone)}: ${count}`;
          return (
            <li key={ms} title={text}>
              <span class="unseen">{count > 0 ? text : ''}</span>
              {count > 0 && (
                <span class="day" aria-hidden="true">
                  <span class="day-bar" style={{ height: `${Math.max(6, (100 * count) / most)}%` }} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p class="day-ends quiet" aria-hidden="true">
        <span>{dayText(all[0] ?? now, zone)}</span>
        <span>Today</span>
      </p>
    </div>
  );
}
