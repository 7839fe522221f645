import type { ExplainedPart } from '@earshot/contract/rule-trial';
import { msPerHour } from './core/durations.ts';
import type { StateSpan } from './core/spans.ts';
import type { MeasuredDevice, WatchedState } from './core/states.ts';

export interface Described {
  /** What was measured is missing, so that nobody knows whether the state held. */
  readonly isUnknown: boolean;
  readonly said: Pick<ExplainedPart, 'value' | 'reason'>;
}

const known = (value: string): Described => ({ isUnknown: false, said: { value } });
const dateOf = (ms: number): string => new Date(ms).toISOString();

/** What was measured of a device at a time, in a few words. */
export function describeMeasured(
  { state, limits }: WatchedState,
  { contact, health = [], events = [], uploads = [], settings = [] }: MeasuredDevice,
  time: number,
): Described {
  const at = (spans: readonly StateSpan[]) => spans.filter(({ startMs, endMs }) => startMs <= time && endMs > time);
  switch (state) {
    case 'offline':
    case 'neverConnected': {
      const last = contact?.online.findLast(({ startMs }) => startMs <= time);
      if (last) return known(last.endMs > time ? 'online' : `no contact since ${dateOf(last.endMs)}`);
      const hadContact = contact?.firstMs !== undefined && contact.firstMs <= time;
      return known(hadContact ? 'had contact' : `no contact since it was added, ${dateOf(contact?.createdMs ?? time)}`);
    }
    case 'lowBattery':
    case 'fullDisk': {
      const report = health.find(({ startMs, endMs }) => startMs <= time && endMs > time);
      const value = state === 'lowBattery' ? report?.batteryPercent : report?.diskUsedPercent;
      if (value !== undefined) return known(`${Math.round(value * 10) / 10} %`);
      return { isUnknown: true, said: { reason: 'No report of the 24 hours before says it.' } };
    }
    case 'failedEvents':
    case 'failedUploads': {
      const failures = at(state === 'failedEvents' ? events : uploads);
      const recent = failures.filter(({ startMs }) => startMs > time - limits.withinHours * msPerHour);
      return known(`${recent.length} in the last ${limits.withinHours} hours`);
    }
    case 'differentSettings':
      return known(`${at(settings).length} settings that differ`);
  }
}
