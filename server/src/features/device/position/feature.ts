import { defineFeature } from '../../../feature.ts';
import { lockPositionOfDevice } from './queries.ts';
import { serveDevicePositions } from './routes.ts';

export const devicePosition = defineFeature({
  name: 'device/position',
  needs: ['db'],
  routes: serveDevicePositions,
  deviceRemoval: { lock: lockPositionOfDevice },
});
