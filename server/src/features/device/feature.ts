import { Device } from '@earshot/contract/device';
import type { Feature } from '../../feature.ts';
import { findDevicesByKey } from './queries.ts';
import { serveDevices } from './routes.ts';

export const device: Feature = {
  routes: serveDevices,
  liveRecords: [{ kind: 'device', schema: Device, find: findDevicesByKey }],
};
