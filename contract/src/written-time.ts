/** A time as it is written in a file or its name. */
export interface WrittenTime {
  /** Milliseconds since 1970. If the zone is not known, the written time counts as UTC. */
  readonly ms: number;
  readonly zoneKnown: boolean;
}

export interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond?: number;
  /** Undefined if it is not written. */
  readonly offsetMinutes?: number | undefined;
}

const latestYear = 2099;
/** Other times are those of clocks that were never set, or no times. */
const isPlausible = (year: number): boolean => year >= 1980 && year <= latestYear;
/** Milliseconds since 1970 that no recording began at. */
export const endOfTimesMs = Date.UTC(latestYear + 1, 0, 1);

/** Undefined if there is no such time. */
export function timeFromParts(parts: TimeParts): WrittenTime | undefined {
  const { year, month, day, hour, minute, second, millisecond = 0, offsetMinutes } = parts;
  if (!isPlausible(year) || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return { ms: date.getTime() - (offsetMinutes ?? 0) * 60_000, zoneKnown: offsetMinutes !== undefined };
}

/** Seconds since 1970; undefined if the clock of the recorder was not set. */
export function timeFromEpoch(seconds: number): WrittenTime | undefined {
  const year = new Date(seconds * 1000).getUTCFullYear();
  return isPlausible(year) ? { ms: seconds * 1000, zoneKnown: true } : undefined;
}

const farthestOffsetMinutes = 14 * 60;

/** `Z`, `+2`, `-3:30`, `+0200`; undefined if it is empty or no offset. */
export function readOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0;
  const found = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  if (!found) return undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  const isOffset = minutes <= farthestOffsetMinutes && minutes % 15 === 0;
  return isOffset ? minutes * (found[1] === '-' ? -1 : 1) : undefined;
}

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{1,2}(?::?\d{2})?)?$/;

/** A date and a time in the form of ISO 8601; a date alone says not when a recording began. */
export function readIsoTime(text: string): WrittenTime | undefined {
  const found = isoPattern.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1, 6).map(Number);
  const second = Number(found[6] ?? 0);
  const millisecond = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  return timeFromParts({
    year,
    month,
    day,
    hour,
    minute,
    second,
    millisecond,
    offsetMinutes: readOffset(found[8] ?? ''),
  });
}
