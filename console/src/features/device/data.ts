import type { Device, DeviceFilter } from '@earshot/contract/device';
import type { DeviceRow } from '@earshot/contract/device-page';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { followList, followOne } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';

/** Pages overlap by this many devices, because devices that are added or deleted between two requests shift the rest. */
const overlap = 50;

async function loadDevices(filter: DeviceFilter, most: number): Promise<readonly Device[]> {
  const devices = new Map<number | undefined, Device>();
  for (let offset = 0; ;) {
    const count = Math.min(largestCount, most - devices.size + (offset > 0 ? overlap : 0));
    const more = await api.listDevices({ body: { ...filter, offset, count } });
    // No overlap: so many devices were deleted that some may be missing between the pages. Start again.
    const isTorn = offset > 0 && more.length > 0 && !more.some(({ key }) => devices.has(key));
    if (isTorn) devices.clear();
    else for (const device of more) devices.set(device.key, device);
    if (!isTorn && (more.length < count || devices.size >= most)) return [...devices.values()].slice(0, most);
    offset = isTorn ? 0 : offset + more.length - overlap;
  }
}

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

/** The device as a table shows it. Undefined: it is gone. */
export const deviceRow = (deviceID: number): Query<DeviceRow | undefined> => ({
  key: `device row ${deviceID}`,
  load: async () => (await api.listDevicePage({ body: { deviceIDList: [deviceID] } })).results[0],
  follow: (row, change) => (change.deviceID === deviceID && change.event !== 'event' ? reload : row),
});

export const nameOf = ({ deviceName, deviceSerial, key }: Device): string =>
  deviceName || deviceSerial || `Device ${key ?? ''}`;
