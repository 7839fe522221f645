/* Days as `2026-11-15`, without times and zones. */

const dayMs = 86_400_000;

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(Date.parse(text)).toISOString().slice(0, 10) === text;

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

/** The same day of another month, or its last day. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The weeks of the month of a day, Monday first; with the days of the months beside it that fill its weeks. */
export function weeksOf(day: string): readonly (readonly string[])[] {
  const first = `${day.slice(0, 8)}01`;
  const weekday = (new Date(Date.parse(first)).getUTCDay() + 6) % 7;
  const start = addDays(first, -weekday);
  const weeks: string[][] = [];
  for (let week = 0; week < 6; week += 1) {
    const days = Array.from({ length: 7 }, (_, at) => addDays(start, 7 * week + at));
    if (week > 0 && !days.some((other) => other.slice(0, 7) === day.slice(0, 7))) break;
    weeks.push(days);
  }
  return weeks;
}

/** The day to which a key of the keyboard leads. */
export function dayAfterKey(day: string, key: string): string | undefined {
  const weekday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  if (key === 'PageUp' || key === 'PageDown') return addMonths(day, key === 'PageUp' ? -1 : 1);
  const step = steps[key];
  return step === undefined ? undefined : addDays(day, step);
}

const write = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(Date.parse(day)).toLocaleDateString('en-GB', { timeZone: 'UTC', ...options });

export const monthText = (day: string): string => write(day, { month: 'long', year: 'numeric' });
export const shortDay = (day: string): string => write(day, { day: 'numeric', month: 'short', year: 'numeric' });
export const longDay = (day: string): string =>
  write(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** A range in words; one of the days may be missing. */
export function daysText(from: string, to: string): string {
  if (from === '' && to === '') return '';
  if (to === '') return `From ${shortDay(from)}`;
  if (from === '') return `Until ${shortDay(to)}`;
  return from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;
}
