import type { Device } from '@earshot/contract/device';
import { api } from '../../lib/api.ts';
import { followList, followOne } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { loadDevices } from './data.ts';

/** All devices, for selection and counts. */
export const allDevices: Query<readonly Device[]> = {
  key: 'devices all',
  load: () => loadDevices({}, Infinity),
  follow: followList({ kind: 'device' }),
};

export const oneDevice = (deviceID: number): Query<Device> => ({
  key: `device ${deviceID}`,
  load: () => api.getDevice({ params: { deviceID } }),
  follow: followOne('device'),
});

export const nameOf = ({ deviceName, deviceSerial, key }: Device): string =>
  deviceName || deviceSerial || `Device ${key ?? ''}`;
