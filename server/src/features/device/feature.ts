import { Device } from '@earshot/contract/device';
import { defineFeature } from '../../feature.ts';
import { findDevicesByKey } from './queries.ts';
import { serveDevices } from './routes.ts';

export const device = defineFeature({
  name: 'device',
  needs: ['cluster', 'db', 'deviceRemovals'],
  routes: serveDevices,
  liveRecords: [{ kind: 'device', schema: Device, find: findDevicesByKey }],
});
