/** Reading and showing times, in the zone of this machine. */

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A date or a date-time, with a zone or in the zone of this machine; or an age such as `90m`; `today`, `yesterday`. */
export function readTime(text: string, now: number): number | undefined {
  const age = /^(\d{1,6})([smhdw])$/.exec(text);
  if (age) return now - Number(age[1]) * unitMs[age[2]!]!;
  if (text === 'now') return now;
  if (text === 'today' || text === 'yesterday') {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - (text === 'today' ? 0 : 1)).getTime();
  }
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return undefined;
  // A date alone would be read as UTC.
  const ms = Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : ms;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-15 08:30:00` in the zone of this machine. */
export function showTime(ms: number | undefined): string {
  if (ms === undefined || Number.isNaN(ms)) return '';
  const date = new Date(ms);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `11-15 08:30`, where there is no room for more. */
export const showShortTime = (ms: number | undefined): string => showTime(ms).slice(5, 16);

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`. */
export function showAge(ms: number | undefined, now: number): string {
  if (ms === undefined || Number.isNaN(ms)) return 'never';
  const seconds = Math.floor((now - ms) / 1_000);
  if (seconds < 60) return 'just now';
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** `0:05`, `12:30`, `1:02:03`. */
export function showDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** `1.4 MB`. */
export function showBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
