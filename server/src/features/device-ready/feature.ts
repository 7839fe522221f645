import { defineFeature } from '../../feature.ts';
import { lockReadinessOfDevice } from './queries.ts';
import { serveDeviceReadiness } from './routes.ts';

export const deviceReady = defineFeature({
  name: 'device-ready',
  needs: ['events'],
  routes: (http, { events }) => serveDeviceReadiness(http, events),
  deviceRemoval: { lock: lockReadinessOfDevice },
});
