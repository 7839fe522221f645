import { msPerHour, msPerMinute } from './durations.ts';
import { afterElapsed } from './elapsed.ts';
import type { StateSpan } from './spans.ts';
import { joinSpans } from './spans.ts';

/** What is stored of the contact of a device. */
export interface ContactOfDevice {
  readonly createdMs: number;
  /** Of the first contact ever; undefined: there was none. */
  readonly firstMs: number | undefined;
  /** When its first clip was announced or uploaded. */
  readonly firstClipMs: number | undefined;
  /** When it was online, in order; the last one goes on while it is. */
  readonly online: readonly StateSpan[];
}

/** A device that went offline so often within a day is online now and then. */
const oftenOffline = 3;
const rareMs = 24 * msPerHour;

/**
 * Offline: no contact for so long, counted within one run of the platform. If it was long enough before the platform went away, it goes on
 * until the next contact.
 */
export function findOffline(
  { online }: Pick<ContactOfDevice, 'online'>,
  runs: readonly StateSpan[],
  { afterMinutes }: { readonly afterMinutes: number },
): readonly StateSpan[] {
  const times = joinSpans(online);
  // A device that was online when the platform went away did not go offline by itself.
  const endings = times.map(({ endMs }) => endMs).filter((endMs) => runs.some((run) => isIn(run, endMs)));
  return times.flatMap(({ endMs: lostMs }, at) => {
    if (lostMs === Infinity) return [];
    const backMs = times[at + 1]?.startMs ?? Infinity;
    const often = endings.filter((endMs) => endMs <= lostMs && endMs > lostMs - rareMs).at(-oftenOffline);
    const leastMs = often === undefined ? lostMs : often + rareMs;
    return afterElapsed({ startMs: lostMs, endMs: backMs }, runs, afterMinutes * msPerMinute, leastMs) ?? [];
  });
}

const isIn = ({ startMs, endMs }: StateSpan, ms: number): boolean => ms >= startMs && ms <= endMs;

/** Never connected: no contact and no clip since the device was added, for so long. */
export function findNeverConnected(
  { createdMs, firstMs = Infinity, firstClipMs = Infinity }: Omit<ContactOfDevice, 'online'>,
  runs: readonly StateSpan[],
  { afterMinutes }: { readonly afterMinutes: number },
): readonly StateSpan[] {
  const span = afterElapsed(
    { startMs: createdMs, endMs: Math.min(firstMs, firstClipMs) },
    runs,
    afterMinutes * msPerMinute,
  );
  return span ? [span] : [];
}
