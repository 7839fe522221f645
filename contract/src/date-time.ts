/** The name of the JSON Schema format; OpenAPI tools read it as RFC 3339, which is the format of responses. */
export const dateTimeFormat = 'date-time';

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,7}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

// PostgreSQL has no year 0, and ISO 8601 cannot represent five-digit years.
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses any ISO 8601 date-time with an offset and up to seven fraction digits (as sent by .NET clients). Undefined if
 * it is malformed or not a calendar date.
 */
export function parseDateTime(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number];
  const second = Number(match[6] ?? 0);
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;

  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  local.setUTCHours(hour, minute, second, milliseconds);

  const offset = (offsetHour * 60 + offsetMinute) * 60_000 * (match[8] === '-' ? -1 : 1);
  const instant = local.getTime() - offset;
  return instant >= earliest && instant <= latest ? new Date(instant) : undefined;
}
