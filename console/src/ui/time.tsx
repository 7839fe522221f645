import { signal } from '@preact/signals';

/** Moves every relative time on the page along. */
const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 15_000);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dayText = (date: Date, at: number): string =>
  date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(new Date(at).getFullYear() === date.getFullYear() ? {} : { year: 'numeric' }),
  });

export function relativeTime(date: Date, at: number): string {
  const ago = at - date.getTime();
  const size = Math.abs(ago);
  const words = (text: string) => (ago < 0 ? `in ${text}` : `${text} ago`);
  if (size < minute) return ago < -5_000 ? 'in a moment' : 'just now';
  if (size < hour) return words(`${Math.floor(size / minute)} min`);
  if (size < day) return words(`${Math.floor(size / hour)} h`);
  if (size < 7 * day) return words(size < 2 * day ? '1 day' : `${Math.floor(size / day)} days`);
  return dayText(date, at);
}

const exact = (date: Date, zone?: string): string =>
  date.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', ...(zone ? { timeZone: zone } : {}) });

function exactTimes(date: Date, zone: string | undefined): string {
  const mine = exact(date);
  try {
    return zone ? `${mine}\nAt the device (${zone}): ${exact(date, zone)}` : mine;
  } catch {
    return mine;
  }
}

interface TimeProps {
  readonly date: string | number;
  /** The device's own zone, shown beside the viewer's. */
  readonly zone?: string | undefined;
}

/** How long ago, and on a closer look exactly when. */
export function Time({ date, zone }: TimeProps) {
  const moment = new Date(date);
  return (
    <time dateTime={moment.toISOString()} title={exactTimes(moment, zone)}>
      {relativeTime(moment, now.value)}
    </time>
  );
}
