/** `1:02` or `1:02:03`, optionally with tenths of a second. */
export function positionText(ms: number, tenths = false): string {
  const unit = tenths ? 100 : 1_000;
  const whole = Math.max(0, Math.floor(ms / unit)) * unit;
  const seconds = Math.floor(whole / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const text = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return tenths ? `${text}.${Math.floor((whole % 1_000) / 100)}` : text;
}

const inZone = (zone: string | undefined) => (zone ? { timeZone: zone } : {});

/** Undefined if the browser does not know the zone. */
function write(date: Date, options: Intl.DateTimeFormatOptions, zone: string | undefined): string | undefined {
  try {
    return date.toLocaleString('en-GB', { ...options, ...inZone(zone) });
  } catch {
    return undefined;
  }
}

export const dateAndTime = (date: Date, zone?: string): string | undefined =>
  write(date, { dateStyle: 'medium', timeStyle: 'medium' }, zone);

export const timeOfDay = (date: Date, zone?: string): string | undefined => write(date, { timeStyle: 'medium' }, zone);

/** Whether the device's local time differs from the viewer's. */
export function isElsewhere(date: Date, zone: string | undefined): boolean {
  return zone !== undefined && zone !== '' && (dateAndTime(date, zone) ?? dateAndTime(date)) !== dateAndTime(date);
}
