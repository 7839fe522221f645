import { defineFeature } from '../../feature.ts';
import { serveSamples } from './routes.ts';

export const sample = defineFeature({
  name: 'sample',
  needs: ['db', 'events', 'media', 'orderCaptions', 'scratch', 'storage'],
  routes: (http, parts) => serveSamples(http, { ...parts, wakeups: parts.events.wakeups }),
});
