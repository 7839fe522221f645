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

/** Newer versions of Node also accept offsets such as "+01:00", which have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

const quarterMs = 900_000;
const offsets = new Map<string, number>();
const mostOffsets = 5_000;

/** Offset of a zone from UTC in milliseconds. Offsets change only on quarter hours, so they are cached by quarter hour. */
export function offsetOf(zone: string, ms: number): number {
  const quarter = Math.floor(ms / quarterMs);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const at = quarter * quarterMs;
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

/** The time at which the clock of this machine shows this local time. The zone of a machine may have no name. */
export function fromMachineWall(wall: number): number {
  const at = new Date(wall);
  const midnight = new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return midnight.setHours(at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), at.getUTCMilliseconds());
}

/** The time at which a clock in the zone shows this local time. A skipped local time gives the time after the skip. */
export function fromWall(wall: number, zone: string): number {
  const guess = wall - offsetOf(zone, wall);
  return wall - offsetOf(zone, guess);
}
