import type { DeviceStateName } from '@earshot/contract/device-page';

/** The page of the devices in this state. */
export const devicesIn = (state: DeviceStateName): string => `/devices?state=${state}`;
