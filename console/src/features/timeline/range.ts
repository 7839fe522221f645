import { fromWall } from '@earshot/contract/time-zone';
import { dateText, wallTime } from '../../lib/ui/clock.ts';
import type { TimelineRange } from './data.ts';

const hour = 3_600_000;
const day = 24 * hour;

export type SpanName = 'day' | 'week';
const daysOf: Readonly<Record<SpanName, number>> = { day: 1, week: 7 };

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The last day of the range in the address; empty if none. */
export const chosenDay = (query: URLSearchParams): string => {
  const text = query.get('day') ?? '';
  return isDate(text) ? text : '';
};

export const spanOf = (query: URLSearchParams): SpanName => (query.get('span') === 'week' ? 'week' : 'day');

/** The day or week that ends with the chosen day, or that ends now if none is chosen. */
export function rangeOf(span: SpanName, chosen: string, zone: string, now: number): TimelineRange {
  const days = daysOf[span];
  if (chosen !== '') {
    const midnight = Date.parse(chosen);
    return { from: fromWall(midnight - (days - 1) * day, zone), to: fromWall(midnight + day, zone) };
  }
  // The last 24 hours, because today would be almost empty at night.
  if (span === 'day') {
    const to = Math.ceil(now / hour) * hour;
    return { from: to - day, to };
  }
  const today = Date.parse(dateText(now, zone));
  return { from: fromWall(today - (days - 1) * day, zone), to: fromWall(today + day, zone) };
}

/** The chosen day moved by a number of spans; empty if that is today or later. */
export function stepped(span: SpanName, chosen: string, steps: number, zone: string, now: number): string {
  const today = Date.parse(dateText(now, zone));
  const last = chosen === '' ? today : Date.parse(chosen);
  const next = last + steps * daysOf[span] * day;
  return next >= today ? '' : new Date(next).toISOString().slice(0, 10);
}

/** As a datetime-local input writes it. */
export const minuteText = (ms: number, zone: string): string => wallTime(ms, zone).toISOString().slice(0, 16);
