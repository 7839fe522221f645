import { defineFeature } from '../../feature.ts';
import { serveOverview } from './routes.ts';

export const overview = defineFeature({
  name: 'overview',
  needs: ['db', 'events'],
  routes: (http, { db, events }) => serveOverview(http, db, events),
});
