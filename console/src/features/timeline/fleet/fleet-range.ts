import { fromWall } from '@earshot/contract/time-zone';
import { dateText, dayText, timeText } from '../../../lib/ui/clock.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

export type FleetSpan = 'month' | 'day';

/** The columns of the rows: days, or parts of a day. */
export interface FleetRange {
  readonly span: FleetSpan;
  readonly startMs: number;
  readonly bucketMs: number;
  readonly buckets: number;
}

const days = 30;
const partMs = 10 * minuteMs;

/** 30 days that end with the chosen day, or that day in parts of ten minutes; today if none is chosen. */
export function fleetRange(span: FleetSpan, chosen: string, zone: string, now: number): FleetRange {
  const midnight = Date.parse(chosen === '' ? dateText(now, zone) : chosen);
  if (span === 'day') {
    return { span, startMs: fromWall(midnight, zone), bucketMs: partMs, buckets: dayMs / partMs };
  }
  // All buckets are of one length: after a change of the clocks they begin an hour beside midnight.
  return { span, startMs: fromWall(midnight + dayMs, zone) - days * dayMs, bucketMs: dayMs, buckets: days };
}

/** The middle of a bucket, whose date is that of the bucket also when the clocks were changed. */
const middleOf = ({ startMs, bucketMs }: FleetRange, bucket: number): number => startMs + (bucket + 0.5) * bucketMs;

/** As a date input writes it. */
export const dayOfBucket = (range: FleetRange, bucket: number, zone: string): string =>
  dateText(middleOf(range, bucket), zone);

export function bucketText(range: FleetRange, bucket: number, zone: string): string {
  if (range.span === 'month') return dayText(middleOf(range, bucket), zone);
  const from = range.startMs + bucket * range.bucketMs;
  return `${dayText(from, zone)}, ${timeText(from, zone)}–${timeText(from + range.bucketMs, zone)}`;
}

export interface AxisMark {
  readonly bucket: number;
  readonly text: string;
}

/** The texts above the columns: every fifth day, or every third hour. */
export function axisMarks(range: FleetRange, zone: string): readonly AxisMark[] {
  const step = range.span === 'month' ? 5 : (3 * hourMs) / range.bucketMs;
  return Array.from({ length: Math.ceil(range.buckets / step) }, (_, at) => {
    const bucket = at * step;
    const ms = range.startMs + bucket * range.bucketMs;
    return {
      bucket,
      text: range.span === 'month' ? dayText(middleOf(range, bucket), zone).slice(4) : timeText(ms, zone),
    };
  });
}

export const mostLevel = 5;

/** How dark a bucket is, from 0 for no clips to 5; one clip is visible already. */
export function levelOf(count: number, { span }: FleetRange): number {
  if (count <= 0) return 0;
  const base = span === 'month' ? 4 : 2;
  return Math.min(mostLevel, 1 + Math.floor(Math.log(count) / Math.log(base) + 1e-9));
}

/** The colours of a row as one background image, so that a row is three elements whatever its number of columns. */
export function stripOf(counts: readonly number[], range: FleetRange): string {
  const stops: string[] = [];
  let from = 0;
  for (let at = 1; at <= counts.length; at += 1) {
    const level = levelOf(counts[from] ?? 0, range);
    if (at < counts.length && levelOf(counts[at] ?? 0, range) === level) continue;
    const percent = (place: number) => `${((100 * place) / counts.length).toFixed(3)}%`;
    stops.push(`var(--heat-${level}) ${percent(from)} ${percent(at)}`);
    from = at;
  }
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
