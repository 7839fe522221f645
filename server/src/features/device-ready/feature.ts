import type { Feature } from '../../feature.ts';
import { lockReadinessOfDevice } from './queries.ts';
import { serveDeviceReadiness } from './routes.ts';

export const deviceReady: Feature = {
  routes: (http, { events }) => serveDeviceReadiness(http, events),
  deviceRemoval: { lock: lockReadinessOfDevice },
};
