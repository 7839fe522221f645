import { Type } from 'typebox';
import type { DeviceState } from './rule-limits.ts';
import { watchedStates } from './rule-limits.ts';

/** The states of devices that a rule can watch. */

/** The longest times of rules about states. */
export const longestForSeconds = 7 * 86_400;
export const longestKeepOpenSeconds = 86_400;

const Percent = Type.Number({ minimum: 0, maximum: 100, examples: [] });

export const stateFields = {
  state: Type.Optional(
    Type.Unsafe<DeviceState>({
      type: 'string',
      enum: [...watchedStates],
      examples: [],
      description:
        'A state of a device, as the whole condition. `offline`: without contact for `afterMinutes` (15); a device that ' +
        'went offline three times within a day is online now and then, and is offline only after a day. `neverConnected`: without contact and ' +
        'clips `afterMinutes` (1,440) after it was added. `lowBattery`: the last report of the last 24 hours says less than `belowPercent` (20). ' +
        '`fullDisk`: it says that more than `abovePercent` (90) of the disk are used. `failedEvents`, `failedUploads`: at least ' +
        '`failureCount` (1) of the last `withinHours` (24), of uploads those that have not succeeded since. `differentSettings`: a ' +
        'wanted value that the device has not reported for `afterMinutes` (60).',
    }),
  ),
  afterMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 * 24 * 60, examples: [] })),
  belowPercent: Type.Optional(Percent),
  abovePercent: Type.Optional(Percent),
  failureCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, examples: [] })),
  withinHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, examples: [] })),
};
