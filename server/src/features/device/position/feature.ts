import type { Feature } from '../../../feature.ts';
import { lockPositionOfDevice } from './queries.ts';
import { serveDevicePositions } from './routes.ts';

export const devicePosition: Feature = {
  routes: serveDevicePositions,
  deviceRemoval: { lock: lockPositionOfDevice },
};
