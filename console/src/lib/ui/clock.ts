const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const hourMs = 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Falls back to the viewer's zone if the browser does not know the zone. */
export function knownZone(zone: string | undefined): string {
  if (!zone) return viewerZone();
  try {
    formatOf(zone);
    return zone;
  } catch {
    return viewerZone();
  }
}

const offsets = new Map<string, number>();
const mostOffsets = 5_000;

/** Offset of a zone from UTC in milliseconds. Offsets change only on quarter hours, so they are cached by quarter hour. */
export function offsetOf(zone: string, ms: number): number {
  const quarter = Math.floor(ms / (hourMs / 4));
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const at = quarter * (hourMs / 4);
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - at;
  if (offsets.size > mostOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/** Local time in the zone, as the UTC fields of a date. */
export const wallTime = (ms: number, zone: string): Date => new Date(ms + offsetOf(zone, ms));

/** The time at which a clock in the zone shows this local time. A skipped local time gives the time after the skip. */
export function fromWall(wall: number, zone: string): number {
  const guess = wall - offsetOf(zone, wall);
  return wall - offsetOf(zone, guess);
}

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
