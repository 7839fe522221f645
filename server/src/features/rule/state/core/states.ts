import type { RuleWhen } from '@earshot/contract/rule-when';
import type { DeviceState, StateLimit } from '@earshot/contract/rule-limits';
import { usualStateLimits } from '@earshot/contract/rule-limits';
import type { ContactOfDevice } from './contact.ts';
import { findNeverConnected, findOffline } from './contact.ts';
import { findFailing } from './failures.ts';
import type { HealthOfDevice } from './health.ts';
import { findFullDisk, findLowBattery } from './health.ts';
import { findDifferentSettings } from './settings.ts';
import type { StateSpan } from './spans.ts';

/** Where the measurements of states come from. */
export const stateSources = ['contact', 'health', 'events', 'uploads', 'settings'] as const;
export type StateSource = (typeof stateSources)[number];

export const sourceOf: Readonly<Record<DeviceState, StateSource>> = {
  offline: 'contact',
  neverConnected: 'contact',
  lowBattery: 'health',
  fullDisk: 'health',
  failedEvents: 'events',
  failedUploads: 'uploads',
  differentSettings: 'settings',
};

/** What is stored about one device; a source that was not read is undefined. */
export interface MeasuredDevice {
  readonly contact?: ContactOfDevice;
  readonly health?: readonly HealthOfDevice[];
  readonly events?: readonly StateSpan[];
  readonly uploads?: readonly StateSpan[];
  readonly settings?: readonly StateSpan[];
}

/** A state as a rule watches it, with every limit. */
export interface WatchedState {
  readonly state: DeviceState;
  readonly limits: Readonly<Record<StateLimit, number>>;
}

/** Undefined: the rule is about clips. */
export const readWatchedState = (when: RuleWhen): WatchedState | undefined =>
  when.state && {
    state: when.state,
    limits: { ...usualStateLimits[when.state], ...when } as unknown as WatchedState['limits'],
  };

const noContact: ContactOfDevice = { createdMs: Infinity, firstMs: undefined, firstClipMs: undefined, online: [] };

/** The spans in which the state holds, as far as that is known without another measurement. */
export function findStateSpans(
  { state, limits }: WatchedState,
  { contact = noContact, health = [], events = [], uploads = [], settings = [] }: MeasuredDevice,
  runs: readonly StateSpan[],
): readonly StateSpan[] {
  switch (state) {
    case 'offline':
      return findOffline(contact, runs, limits);
    case 'neverConnected':
      return findNeverConnected(contact, runs, limits);
    case 'lowBattery':
      return findLowBattery(health, limits);
    case 'fullDisk':
      return findFullDisk(health, limits);
    case 'failedEvents':
      return findFailing(events, limits);
    case 'failedUploads':
      return findFailing(uploads, limits);
    case 'differentSettings':
      return findDifferentSettings(settings, runs, limits);
  }
}

/** States in which devices fall silent: those that do so together have one alert. */
export const isSilence = (when: RuleWhen): boolean => when.state === 'offline';
