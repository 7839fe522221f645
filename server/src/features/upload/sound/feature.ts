import { defineFeature } from '../../../feature.ts';
import { serveSound } from './routes.ts';

export const sound = defineFeature({
  name: 'upload/sound',
  needs: ['db', 'events', 'media', 'orderCaptions', 'readLog', 'scratch', 'storage'],
  routes: (http, parts) => serveSound(http, { ...parts, wakeups: parts.events.wakeups }),
});
