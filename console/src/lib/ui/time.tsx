import { signal } from '@preact/signals';
import { relativeTime } from './relative-time.ts';

/** The current time; updates all relative times on the page. */
const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 15_000);

const exact = (date: Date, zone?: string): string =>
  date.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', ...(zone ? { timeZone: zone } : {}) });

function exactTimes(date: Date, zone: string | undefined): string {
  const mine = exact(date);
  try {
    return zone ? `${mine}\nDevice time (${zone}): ${exact(date, zone)}` : mine;
  } catch {
    return mine;
  }
}

interface TimeProps {
  readonly date: string | number;
  /** Time zone of the device, shown in the tooltip in addition to the viewer's. */
  readonly zone?: string | undefined;
}

/** Relative time, with the exact time as tooltip. */
export function Time({ date, zone }: TimeProps) {
  const moment = new Date(date);
  // The clock ticks every 15 seconds; what was just made is not in the future.
  const at = Math.max(now.value, Date.now());
  return (
    <time dateTime={moment.toISOString()} title={exactTimes(moment, zone)}>
      {relativeTime(moment, at)}
    </time>
  );
}
