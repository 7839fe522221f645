import { fromWall } from '@earshot/contract/time-zone';
import { dateText, knownZone, timeText, viewerZone, wallTime } from '../../lib/ui/clock.ts';

/* The time range of the list, as it is written in the address: `when` for a preset, or `from` and `to` in `zone`. */

export interface EpochRange {
  readonly fromEpoch: number | undefined;
  /** Exclusive. */
  readonly toEpoch: number | undefined;
}

const dayMs = 86_400_000;

/** Midnight of a day in the zone; days with 23 or 25 hours included. */
function startOfDay(nowMs: number, zone: string, daysLater = 0): number {
  const wall = wallTime(nowMs, zone);
  return fromWall(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + daysLater), zone);
}

function startOfWeek(nowMs: number, zone: string): number {
  const sinceMonday = (wallTime(nowMs, zone).getUTCDay() + 6) % 7;
  return startOfDay(nowMs, zone, -sinceMonday);
}

type Preset = (nowMs: number, zone: string) => readonly [fromMs: number, toMs: number | undefined];

const presets: Readonly<Record<string, readonly [label: string, range: Preset]>> = {
  hour: ['Last hour', (now) => [now - dayMs / 24, undefined]],
  today: ['Today', (now, zone) => [startOfDay(now, zone), undefined]],
  yesterday: ['Yesterday', (now, zone) => [startOfDay(now, zone, -1), startOfDay(now, zone)]],
  day: ['Last 24 hours', (now) => [now - dayMs, undefined]],
  thisweek: ['This week', (now, zone) => [startOfWeek(now, zone), undefined]],
  week: ['Last 7 days', (now) => [now - 7 * dayMs, undefined]],
};

export const presetOptions = Object.entries(presets).map(([value, [label]]) => ({ value, label }));

/** The seconds of a time in the address: local time in the zone, or a time with its own offset. */
export function epochOf(text: string | null, zone: string): number | undefined {
  if (text === null || text === '') return undefined;
  const isLocal = !/(Z|[+-]\d{2}:\d{2})$/.test(text);
  const ms = new Date(isLocal ? `${text}Z` : text).getTime();
  const time = isLocal && Number.isFinite(ms) ? fromWall(ms, zone) : ms;
  return time >= 0 ? Math.floor(time / 1_000) : undefined;
}

/** The zone in which times of the address are meant. */
export const zoneOf = (query: URLSearchParams): string => knownZone(query.get('zone') ?? viewerZone());

export function rangeInAddress(query: URLSearchParams, nowMs = Date.now()): EpochRange {
  const zone = zoneOf(query);
  const [, preset] = presets[query.get('when') ?? ''] ?? [];
  if (preset) {
    const [fromMs, toMs] = preset(nowMs, zone);
    return {
      fromEpoch: Math.floor(fromMs / 1_000),
      toEpoch: toMs === undefined ? undefined : Math.floor(toMs / 1_000),
    };
  }
  const fromEpoch = epochOf(query.get('from'), zone);
  const toEpoch = epochOf(query.get('to'), zone);
  // The API rejects an end before the start; an empty range gives no clips.
  return { fromEpoch, toEpoch: toEpoch === undefined ? undefined : Math.max(toEpoch, fromEpoch ?? 0) };
}

/** A time as the address and a date and time field write it: 2026-11-16T08:30:05. */
export function localText(epoch: number, zone: string): string {
  return `${dateText(epoch * 1_000, zone)}T${timeText(epoch * 1_000, zone, true)}`;
}

/** The value for a date and time field: also of a time with its own offset. */
export function fieldText(text: string | null, zone: string): string {
  const epoch = epochOf(text, zone);
  return epoch === undefined ? '' : localText(epoch, zone);
}

/** The query parameters of a range between two times. */
export const rangeQuery = (fromEpoch: number, toEpoch: number, zone: string) => ({
  when: 'between',
  from: localText(fromEpoch, zone),
  to: localText(toEpoch, zone),
});
