import { isTimeZone, offsetOf } from '@earshot/contract/time-zone';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function viewerZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? zone : 'UTC';
}

/** Falls back to the viewer's zone if the browser does not know the zone. */
export const knownZone = (zone: string | undefined): string => (zone && isTimeZone(zone) ? zone : viewerZone());

/** Local time in the zone, as the UTC fields of a date. */
export const wallTime = (ms: number, zone: string): Date => new Date(ms + offsetOf(zone, ms));

const two = (value: number): string => String(value).padStart(2, '0');

export function timeText(ms: number, zone: string, withSeconds = false): string {
  const wall = wallTime(ms, zone);
  const text = `${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}`;
  return withSeconds ? `${text}:${two(wall.getUTCSeconds())}` : text;
}

export function dayText(ms: number, zone: string): string {
  const wall = wallTime(ms, zone);
  return `${days[wall.getUTCDay()]} ${wall.getUTCDate()} ${months[wall.getUTCMonth()]}`;
}

/** As a date input writes it: 2026-11-15. */
export const dateText = (ms: number, zone: string): string => wallTime(ms, zone).toISOString().slice(0, 10);

/** With the year, unless it is the current one. */
function dayWithYear(ms: number, zone: string, now: number): string {
  const year = wallTime(ms, zone).getUTCFullYear();
  const isCurrent = year === wallTime(now, zone).getUTCFullYear();
  return isCurrent ? dayText(ms, zone) : `${dayText(ms, zone)} ${year}`;
}

export const dayAndMinute = (ms: number, zone = viewerZone(), now = Date.now()): string =>
  `${dayWithYear(ms, zone, now)}, ${timeText(ms, zone)}`;

export function dayAndTime(ms: number, zone = viewerZone(), now = Date.now()): string {
  const at = timeText(ms, zone, true);
  const isToday = dateText(ms, zone) === dateText(now, zone);
  return isToday ? `Today, ${at}` : `${dayWithYear(ms, zone, now)}, ${at}`;
}
