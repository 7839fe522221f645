/** The states of devices that a rule can watch, and their limits. */

export const watchedStates = [
  'offline',
  'neverConnected',
  'lowBattery',
  'fullDisk',
  'failedEvents',
  'failedUploads',
  'differentSettings',
] as const;
export type DeviceState = (typeof watchedStates)[number];

/** Fields of a condition that say from when on the state holds. */
export const stateLimits = ['afterMinutes', 'belowPercent', 'abovePercent', 'failureCount', 'withinHours'] as const;
export type StateLimit = (typeof stateLimits)[number];

/** The limits of each state, with what counts when they are missing. */
export const usualStateLimits: Readonly<Record<DeviceState, Readonly<Partial<Record<StateLimit, number>>>>> = {
  offline: { afterMinutes: 15 },
  neverConnected: { afterMinutes: 24 * 60 },
  lowBattery: { belowPercent: 20 },
  fullDisk: { abovePercent: 90 },
  failedEvents: { failureCount: 1, withinHours: 24 },
  failedUploads: { failureCount: 1, withinHours: 24 },
  differentSettings: { afterMinutes: 60 },
};
